#include "gui/window/shared_image.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <dlfcn.h>
#include <sys/ipc.h>
#include <sys/shm.h>

#include <cstdint>
#include <utility>

namespace jointrig::gui {
namespace {

constexpr int kBits = 32;  // of a pixel

/// Absent if GLFW was built for another window system.
template <typename Function>
Function* of_glfw(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

bool failed = false;  // X reports errors by a callback without a user pointer

int on_error(Display* /*display*/, XErrorEvent* /*event*/) {
  failed = true;
  return 0;
}

/// Sends a request and checks for an error: a remote screen refuses only when asked.
template <typename Request>
bool carried_out(Display* display, const Request& request) {
  XSync(display, False);
  failed = false;
  const auto before = XSetErrorHandler(on_error);
  request();
  XSync(display, False);
  XSetErrorHandler(before);
  return !failed;
}

}  // namespace

struct SharedImage::Connection {
  Display* display = nullptr;
  Window window = 0;
  XWindowAttributes attributes{};
  GC context = nullptr;
  XShmSegmentInfo segment{};
  XImage* image = nullptr;
};

std::unique_ptr<SharedImage> SharedImage::open(GLFWwindow* window) {
  auto* const display_of = of_glfw<Display*()>("glfwGetX11Display");
  auto* const window_of = of_glfw<Window(GLFWwindow*)>("glfwGetX11Window");
  if (display_of == nullptr || window_of == nullptr) return nullptr;
  auto connection = std::make_unique<Connection>();
  connection->display = display_of();
  connection->window = window_of(window);
  if (connection->display == nullptr || XShmQueryExtension(connection->display) == False ||
      XGetWindowAttributes(connection->display, connection->window, &connection->attributes) == 0) {
    return nullptr;
  }
  const Visual& visual = *connection->attributes.visual;
  const bool is_rgb = visual.red_mask == 0xFF0000 && visual.green_mask == 0xFF00 &&
                      visual.blue_mask == 0xFF && ImageByteOrder(connection->display) == LSBFirst;
  if (!is_rgb) return nullptr;
  connection->context = XCreateGC(connection->display, connection->window, 0, nullptr);
  std::unique_ptr<SharedImage> image(new SharedImage(std::move(connection)));
  const XWindowAttributes& now = image->connection_->attributes;
  return image->resize(now.width, now.height) ? std::move(image) : nullptr;
}

SharedImage::SharedImage(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}

SharedImage::~SharedImage() {
  release();
  XFreeGC(connection_->display, connection_->context);
}

void SharedImage::release() {
  Connection& c = *connection_;
  if (c.image == nullptr) return;
  XShmDetach(c.display, &c.segment);
  XSync(c.display, False);
  c.image->data = nullptr;  // not owned by X
  XDestroyImage(c.image);
  c.image = nullptr;
  shmdt(c.segment.shmaddr);
}

bool SharedImage::resize(int width, int height) {
  release();
  Connection& c = *connection_;
  c.image = XShmCreateImage(c.display, c.attributes.visual,
                            static_cast<unsigned>(c.attributes.depth), ZPixmap, nullptr, &c.segment,
                            static_cast<unsigned>(width), static_cast<unsigned>(height));
  if (c.image == nullptr) return false;
  const auto bytes =
      static_cast<std::size_t>(c.image->bytes_per_line) * static_cast<std::size_t>(c.image->height);
  const int id =
      c.image->bits_per_pixel == kBits ? shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600) : -1;
  void* const memory = id < 0 ? nullptr : shmat(id, nullptr, 0);
  // shmat() reports failure by the address -1.
  const bool mapped = memory != nullptr && reinterpret_cast<std::intptr_t>(memory) != -1;
  c.segment.shmid = id;
  c.segment.shmaddr = c.image->data = static_cast<char*>(mapped ? memory : nullptr);
  c.segment.readOnly = True;
  const bool attached =
      mapped && carried_out(c.display, [&] { XShmAttach(c.display, &c.segment); });
  if (id >= 0) shmctl(id, IPC_RMID, nullptr);  // freed after its last user detaches
  if (attached) return true;
  if (mapped) shmdt(memory);
  c.image->data = nullptr;
  XDestroyImage(c.image);
  c.image = nullptr;
  return false;
}

Pixels SharedImage::pixels() const noexcept {
  const XImage* image = connection_->image;
  if (image == nullptr) return {};
  return {reinterpret_cast<std::uint32_t*>(image->data), image->width, image->height,
          image->bytes_per_line / static_cast<int>(sizeof(std::uint32_t))};
}

void SharedImage::show(const std::vector<PixelBox>& parts) {
  const Connection& c = *connection_;
  for (const PixelBox& part : parts) {
    XShmPutImage(c.display, c.window, c.context, c.image, part.left, part.top, part.left, part.top,
                 static_cast<unsigned>(part.right - part.left),
                 static_cast<unsigned>(part.bottom - part.top), False);
  }
  XSync(c.display, False);  // the next frame writes to the memory that the server reads
}

}  // namespace jointrig::gui
