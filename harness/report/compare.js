"use strict";
// Draws each plot of a comparison as it comes into view: the first run dashed, the second over it.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const colour = name =>
    getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  function draw(figure) {
    const plot = data.scenarios[Number(figure.dataset.scenario)][Number(figure.dataset.plot)];
    const isAngle = /^rad($|\/)/.test(plot.unit);
    const factor = isAngle ? 180 / Math.PI : 1;
    const unit = isAngle ? plot.unit.replace(/^rad/, "deg") : plot.unit;
    const curve = (run, name, line) =>
      ({x: run.x, y: run.y.map(y => y * factor), name, mode: "lines", line});
    const layout = {
      height: 220, margin: {l: 66, r: 12, t: 28, b: 42}, hovermode: "x",
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: {color: colour("text")}, legend: {orientation: "h", y: 1.2},
      xaxis: {title: {text: "s"}, gridcolor: colour("grid")},
      yaxis: {title: {text: unit}, gridcolor: colour("grid")},
    };
    Plotly.newPlot(figure.querySelector(".canvas"), [
      curve(plot.first, data.first, {color: colour("reference"), width: 1.5, dash: "dash"}),
      curve(plot.second, data.second, {color: colour("measured"), width: 1.5}),
    ], layout, {responsive: true, displaylogo: false});
  }

  whenSeen(document.querySelectorAll(".plot"), draw);
})();
