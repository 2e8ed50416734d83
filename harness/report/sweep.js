"use strict";
// Draws where a sweep passes as each picture comes into view, and lists the cases that did not.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const mostPlaces = 60;  // along an axis; more values are put together
  const colour = name =>
    getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

  // The places along an axis: its values, or where there are too many, equal shares of the range.
  function placesOf(axis) {
    const values = [...new Set(data.at.map(at => at[axis]))].sort((a, b) => a - b);
    if (values.length <= mostPlaces) {
      const index = new Map(values.map((value, i) => [value, i]));
      return {values, of: value => index.get(value)};
    }
    const low = values[0], width = (values[values.length - 1] - low) / mostPlaces;
    const middles = Array.from({length: mostPlaces}, (_, i) => low + (i + 0.5) * width);
    return {values: middles, of: v => Math.min(mostPlaces - 1, Math.floor((v - low) / width))};
  }

  function axisLayout(axis) {
    const {name, unit, labels} = data.axes[axis];
    const layout = {title: {text: name + (unit ? " [" + unit + "]" : "")}, gridcolor: colour("grid")};
    if (labels.length > 0) Object.assign(layout, {tickvals: labels.map((_, i) => i), ticktext: labels});
    return layout;
  }

  function layoutOf(x, yaxis) {
    return {
      height: 380, margin: {l: 76, r: 12, t: 36, b: 52}, hovermode: "closest", showlegend: false,
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: {color: colour("text")},
      xaxis: axisLayout(x), yaxis,
    };
  }

  function map(figure, x, y) {
    const across = placesOf(x), up = placesOf(y);
    const grid = () => up.values.map(() => across.values.map(() => 0));
    const passed = grid(), judged = grid();
    data.at.forEach((at, i) => {
      if (data.outcome[i] < 0) return;
      const row = up.of(at[y]), column = across.of(at[x]);
      judged[row][column] += 1;
      passed[row][column] += data.outcome[i];
    });
    const share = judged.map((line, r) => line.map((n, c) => n > 0 ? passed[r][c] / n : null));
    const traces = [{
      type: "heatmap", x: across.values, y: up.values, z: share, zmin: 0, zmax: 1,
      colorscale: [[0, "#d1495b"], [0.5, "#edc451"], [1, "#3f9d63"]], xgap: 1, ygap: 1,
      customdata: judged, colorbar: {title: {text: "passed"}, tickformat: ".0%"},
      hovertemplate: "%{x}, %{y}: %{z:.0%} of %{customdata} passed<extra></extra>",
    }];
    const edges = data.axes.length === 2 ? data.boundaries.filter(b => b.along === x) : [];
    if (edges.length > 0) {
      traces.push({
        x: edges.map(b => b.at[x]), y: edges.map(b => b.at[y]), mode: "markers",
        marker: {color: colour("text"), symbol: "line-ns-open", size: 14, line: {width: 2.5}},
        hovertemplate: "boundary at %{x}<extra></extra>",
      });
    }
    Plotly.newPlot(figure.querySelector(".canvas"), traces, layoutOf(x, axisLayout(y)),
                   {responsive: true, displaylogo: false});
  }

  function line(figure, x) {
    const points = (outcome, name, look) => {
      const chosen = data.at.map((_, i) => i).filter(i => data.outcome[i] === outcome);
      return {
        name, mode: "markers", marker: {color: colour(look), size: 8},
        x: chosen.map(i => data.at[i][x]), y: chosen.map(i => data.margin[i] ?? 0),
        hovertemplate: "%{x}: " + name + ", margin %{y:.4g}<extra></extra>",
      };
    };
    const layout = layoutOf(x, {title: {text: "least margin (SI)"}, gridcolor: colour("grid")});
    layout.shapes = data.boundaries.map(boundary => ({
      type: "line", x0: boundary.at[x], x1: boundary.at[x], y0: 0, y1: 1, yref: "paper",
      line: {color: colour("bound"), width: 2, dash: "dash"},
    }));
    Plotly.newPlot(figure.querySelector(".canvas"),
                   [points(1, "passed", "ok"), points(0, "did not pass", "bad")], layout,
                   {responsive: true, displaylogo: false});
  }

  // Samples of an optimiser in their order, and the best that passed so far.
  function history(figure) {
    const {objective, unit, larger_is_better: larger, values, passed} = data.search;
    const numbers = values.map((_, i) => i + 1);
    let best = null;
    const bests = values.map((value, i) => {
      const isBetter = value !== null && passed[i] && (best === null || (larger ? value > best : value < best));
      if (isBetter) best = value;
      return best;
    });
    const samples = (isPassed, name, look) => ({
      name, mode: "markers", marker: {color: colour(look), size: 8},
      x: numbers.filter((_, i) => passed[i] === isPassed), y: values.filter((_, i) => passed[i] === isPassed),
      hovertemplate: "sample %{x}: %{y:.6g}, " + name + "<extra></extra>",
    });
    const layout = layoutOf(0, {title: {text: objective + (unit ? " [" + unit + "]" : "")}, gridcolor: colour("grid")});
    layout.xaxis = {title: {text: "sample"}, gridcolor: colour("grid")};
    Plotly.newPlot(figure.querySelector(".canvas"), [
      samples(true, "passed", "ok"), samples(false, "did not pass", "bad"),
      {x: numbers, y: bests, mode: "lines", line: {color: colour("text"), width: 1.5, shape: "hv"}, hoverinfo: "skip"},
    ], layout, {responsive: true, displaylogo: false});
  }

  function element(kind, text) {
    const made = document.createElement(kind);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // A hundred at a time: ten thousand rows would take a browser seconds.
  function list() {
    const place = document.getElementById("failed");
    place.append(element("h2", "Cases that did not pass: " + data.failed.length));
    if (data.failed.length === 0) return;
    const table = element("table"), body = element("tbody"), head = element("tr");
    const uses = ["runs it alone", "opens it in the panel"].slice(0, data.commands.length);
    for (const name of ["values", "outcome", "margin", "why", ...uses]) {
      head.append(element("th", name));
    }
    table.append(head, body);
    const more = element("button");
    const next = () => {
      for (const one of data.failed.slice(body.rows.length, body.rows.length + 100)) {
        const row = element("tr");
        const [words, ...facts] = [one[4], ...one.slice(0, 4)];
        for (const text of facts) row.append(element("td", text));
        for (const command of data.commands) {
          const cell = element("td");
          cell.append(element("code", command + " " + words));
          row.append(cell);
        }
        body.append(row);
      }
      more.textContent = "Show more of " + (data.failed.length - body.rows.length);
      more.hidden = body.rows.length >= data.failed.length;
    };
    more.addEventListener("click", next);
    next();
    place.append(table, more);
  }

  list();
  whenSeen(document.querySelectorAll(".plot"), figure => {
    if (figure.dataset.search) return history(figure);
    const x = Number(figure.dataset.x), y = Number(figure.dataset.y);
    if (x === y) line(figure, x); else map(figure, x, y);
  });
})();
