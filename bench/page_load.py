"""How long a browser takes to open a report and to draw its first picture: Debian's chromium, headless.

    python3 bench/page_load.py runs/sweep-big/report.html [REPEATS]

Each repeat is a new browser with an empty profile. The copy that is opened tells the time from the start of its
loading to the second frame after the first picture is there.
"""

import http.server
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

TELL = """<script>
const wait = setInterval(() => {
  if (!document.querySelector(".main-svg")) return;
  clearInterval(wait);
  requestAnimationFrame(() => requestAnimationFrame(() => fetch("/told?" + performance.now())));
}, 5);
</script></body>"""


def page_of(path: pathlib.Path) -> bytes:
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", path.read_text())
    return text.replace("</body>", TELL).encode()


def seconds_to_draw(page: bytes) -> float:
    told, found = threading.Event(), []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if "told" in self.path:
                found.append(float(self.path.split("?")[1]) / 1000)
                told.set()
            body = page if self.path == "/" else b""
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000",
             "--remote-debugging-port=0", f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if not told.wait(60):
                sys.exit("the page drew nothing within 60 s")
        finally:
            browser.terminate()
            browser.wait()
    server.shutdown()
    return found[0]


def main() -> None:
    path = pathlib.Path(sys.argv[1])
    page = page_of(path)
    times = sorted(seconds_to_draw(page) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 5))
    print(f"{path}, {len(page) / 1e6:.1f} MB: drawn after {times[len(times) // 2]:.2f} s (median of {len(times)}, "
          f"{times[0]:.2f} to {times[-1]:.2f} s)")


if __name__ == "__main__":
    main()
