"use strict";
// The page: draws figures as they come into view, links their times, and follows the controls.
(() => {
  const scenarios = JSON.parse(document.getElementById("data").textContent);
  const controls = document.getElementById("controls");
  const drawn = new Map();  // canvas -> {scenario, figure}
  let isPrinting = false;

  function theme() {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue("--" + name).trim();
    return {
      card: isPrinting ? "#ffffff" : colour("card"), text: colour("text"), soft: colour("soft"),
      line: colour("line"), grid: colour("grid"), bad: colour("bad"), badBack: colour("bad-back"),
      measured: colour("measured"), reference: colour("reference"), command: colour("command"),
      other: colour("other"), limit: colour("limit"), bound: colour("bound"), event: colour("event"),
      stepEven: colour("none-back"), stepOdd: colour("grid"), tint: Number(colour("tint")),
      font: getComputedStyle(document.body).fontFamily,
    };
  }

  const options = () => ({
    angle: controls.elements.angle.value,
    limits: controls.elements.limits.checked,
    width: isPrinting ? 690 : 0,  // A4 between its margins
  });

  // s3-failure, s3-0, s3-1, ...
  function placeOf(plot) {
    const [scenario, figure] = plot.id.slice(1).split("-");
    const data = scenarios[Number(scenario)];
    return {scenario: data, figure: figure === "failure" ? data.failure.figure : data.figures[Number(figure)]};
  }

  function draw(plot) {
    const canvas = plot.querySelector(".canvas");
    const isNew = !drawn.has(canvas);
    const place = placeOf(plot);
    drawn.set(canvas, place);
    Figures.draw(canvas, place.scenario, place.figure, options(), theme());
    if (!isNew) return;
    canvas.on("plotly_relayout", change => follow(canvas, change));
    sizes.observe(canvas);
  }

  // Other figures of the scenario take over the time that one was zoomed to.
  let isFollowing = false;
  function follow(source, change) {
    if (isFollowing || !("xaxis.range[0]" in change || "xaxis.range" in change)) return;
    const own = drawn.get(source);
    if (own.figure === (own.scenario.failure || {}).figure) return;
    isFollowing = true;
    const range = source.layout.xaxis.range.slice();
    const moves = [];
    for (const [canvas, place] of drawn) {
      if (canvas === source || place.scenario !== own.scenario) continue;
      if (place.figure === (own.scenario.failure || {}).figure) continue;
      moves.push(Plotly.relayout(canvas, {"xaxis.range": range}));
    }
    Promise.all(moves).finally(() => { isFollowing = false; });
  }

  // Plots are as wide as the page leaves room for.
  const sizes = new ResizeObserver(entries => {
    for (const {target} of entries) {
      const isFitting = Math.abs(target.clientWidth - target.layout.width) < 1;
      if (!isPrinting && target.clientWidth > 0 && !isFitting) draw(target.parentElement);
    }
  });

  const redraw = () => drawn.forEach((_, canvas) => draw(canvas.parentElement));

  whenSeen(document.querySelectorAll(".plot"), draw);

  controls.hidden = false;
  controls.addEventListener("submit", event => event.preventDefault());
  controls.addEventListener("change", event => {
    if (event.target.name === "bad") {
      document.body.classList.toggle("only-bad", event.target.checked);
    } else {
      redraw();
    }
  });
  if (controls.elements.fold) {
    controls.elements.fold.addEventListener("click", () => {
      document.querySelectorAll(".scenario[open]").forEach(scenario => { scenario.open = false; });
    });
  }

  // A link such as report.html#s3 unfolds what it names.
  function unfold() {
    const target = /^#s\d+$/.test(location.hash) && document.querySelector(location.hash);
    if (target) target.open = true;
  }
  addEventListener("hashchange", unfold);
  unfold();

  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("beforeprint", () => {
    isPrinting = true;
    document.querySelectorAll(".plot").forEach(plot => {
      if (plot.checkVisibility()) draw(plot);
    });
  });
  addEventListener("afterprint", () => {
    isPrinting = false;
    redraw();
  });
})();
