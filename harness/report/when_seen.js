"use strict";
// Calls draw(element) once for each element, shortly before it comes into view.
function whenSeen(elements, draw) {
  const watcher = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      draw(entry.target);
    }
  }, {rootMargin: "400px"});
  elements.forEach(element => watcher.observe(element));
}
