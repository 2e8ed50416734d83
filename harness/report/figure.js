"use strict";
// One figure of a scenario: strips of steps and modes on top, below them panels of curves with
// their limits, all on one time axis. What the data mean is told in plot_data.h.
const Figures = (() => {
  // Those of the iCub motor panel, which its users know.
  const kModeColours = {
    idle: [249, 236, 141],
    position: [149, 221, 186],
    position_direct: [119, 206, 111],
    mixed: [150, 205, 220],
    velocity: [150, 190, 255],
    torque: [219, 166, 171],
    openloop: [250, 250, 250],
    cartesian: [200, 170, 235],
    hw_fault: [255, 50, 50],
  };
  const kOtherMode = [220, 220, 220];
  const kRadian = 180 / Math.PI;
  const kStripHeight = 20;
  const kPanelHeight = 150;
  const kGap = 26;  // above a panel: its legend
  const kTop = 28;  // the tool bar, beside the figure's title
  const kBottom = 42;
  const kLeft = 66;
  const kRight = 12;
  const kFlagHeight = 15;
  const kMostFlagRows = 3;

  const modeColour = (mode, alpha) => `rgba(${(kModeColours[mode] || kOtherMode).join(",")},${alpha})`;
  // Plotly reads a few tags in texts: names are to be read as they are.
  const plain = text => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const digits = value => String(Number(value.toPrecision(4)));
  const short = (text, most) => text.length > most ? text.slice(0, most - 1) + "…" : text;

  function timesOf(scenario) {
    const times = scenario.times;
    if (Array.isArray(times)) return times;
    return Array.from({length: times.count}, (_, i) => times.start + i * times.step);
  }

  // Least and most of every span, summed up from the differences.
  function unpack(trace) {
    if (trace.least) return;
    let sum = 0;
    trace.least = trace.low.map(d => d === null ? null : trace.offset + trace.step * (sum += d));
    trace.most = trace.high
        ? trace.least.map((y, i) => y === null ? null : y + trace.step * trace.high[i])
        : trace.least;
  }

  // A line that touches least and most of every span, the nearer one first.
  function curveOf(scenario, trace, factor) {
    unpack(trace);
    const times = scenario.t || (scenario.t = timesOf(scenario));
    const x = [], y = [];
    let before = null;
    trace.least.forEach((least, i) => {
      const most = trace.most[i];
      if (least === null || most === least) {
        x.push(times[i]);
        y.push(least === null ? null : least * factor);
      } else {
        const upFirst = before !== null && Math.abs(before - most) < Math.abs(before - least);
        x.push(times[i], times[i] + scenario.span / 2);
        y.push((upFirst ? most : least) * factor, (upFirst ? least : most) * factor);
      }
      before = least === null ? null : y[y.length - 1] / factor;
    });
    return {x, y};
  }

  function near(scenario, trace, factor) {
    return {x: scenario.failure.times, y: (trace.near || []).map(y => y === null ? null : y * factor)};
  }

  // Angles in degrees, if so wished; all else stays SI.
  function unitOf(panel, options) {
    const isAngle = /^rad($|\/)/.test(panel.unit);
    if (!isAngle || options.angle !== "deg") return {factor: 1, unit: panel.unit};
    return {factor: kRadian, unit: panel.unit.replace(/^rad/, "deg")};
  }

  const kRoles = {
    measured: {word: "measured", dash: "solid", width: 1.8},
    reference: {word: "reference", dash: "dash", width: 1.5},
    command: {word: "command", dash: "2px,2px", width: 2},
    other: {word: "", dash: "solid", width: 1.5},
  };

  function nameOf(trace, figure) {
    const own = figure.joint && trace.name.startsWith(figure.joint + ".");
    const name = own ? trace.name.slice(figure.joint.length + 1) : trace.name;
    const word = kRoles[trace.role].word;
    return plain(word ? `${name} ${word}` : name);
  }

  function rangeOf(values, must, may, wantsAll) {
    let least = Infinity, most = -Infinity;
    const see = y => { least = Math.min(least, y); most = Math.max(most, y); };
    for (const y of values) if (y !== null) see(y);
    for (const y of must) see(y);
    if (least > most) { least = 0; most = 0; }
    const span = most - least;
    for (const y of may) {
      const beyond = Math.max(least - y, y - most);
      if (wantsAll || beyond < 0.35 * span) see(y);
    }
    const pad = Math.max(0.07 * (most - least), 0.01 * Math.max(Math.abs(least), Math.abs(most)), 1e-4);
    return [least - pad, most + pad];
  }

  // Lines across a panel, and a remark on limits that are out of view.
  function boundsOf(panel, scenario, factor) {
    const bounds = new Map();
    for (const index of panel.traces) {
      for (const [value, kind] of scenario.traces[index].bounds) {
        bounds.set(`${value} ${kind}`, {value: value * factor, kind, isLimit: kind !== "bound"});
      }
    }
    return [...bounds.values()].sort((a, b) => a.value - b.value);
  }

  const kDashes = {limit: "6px,4px", "soft limit": "2px,4px", bound: "12px,3px,3px,3px"};

  function drawBounds(build, bounds, axis, range, unit, top) {
    const outside = [];
    for (const bound of bounds) {
      if (bound.value < range[0] || bound.value > range[1]) {
        if (bound.kind === "limit") outside.push(digits(bound.value));
        continue;
      }
      const colour = build.theme[bound.isLimit ? "limit" : "bound"];
      const isHigh = bound.value > (range[0] + range[1]) / 2;
      build.shapes.push({
        type: "line", xref: "paper", x0: 0, x1: 1, yref: axis, y0: bound.value, y1: bound.value,
        line: {color: colour, width: 1.3, dash: kDashes[bound.kind]},
        label: {
          text: `${bound.kind} ${digits(bound.value)}`,
          textposition: bound.kind === "soft limit" ? "start" : "end",
          yanchor: isHigh ? "top" : "bottom", font: {size: 10, color: colour},
        },
      });
    }
    if (outside.length === 0) return;
    build.annotations.push({
      xref: "paper", x: 1, xanchor: "right", yref: "paper", y: top,
      yanchor: build.isNarrow ? "top" : "bottom", showarrow: false, font: {size: 10, color: build.theme.soft},
      text: `not in view: ${outside.length > 1 ? "limits" : "limit"} ${outside.join(", ")} ${unit}`,
    });
  }

  function addPanel(build, panel, number, place) {
    const {scenario, figure, options, theme} = build;
    const {factor, unit} = unitOf(panel, options);
    const axis = `y${number}`;
    const seen = [];
    const others = [theme.other, theme.measured, theme.reference, theme.command];
    let other = 0;
    const isNear = figure === (scenario.failure || {}).figure;
    for (const index of panel.traces) {
      const trace = scenario.traces[index];
      const role = kRoles[trace.role];
      const line = {
        color: trace.role === "other" ? others[other++ % others.length] : theme[trace.role],
        dash: role.dash, width: role.width,
      };
      const points = isNear ? near(scenario, trace, factor) : curveOf(scenario, trace, factor);
      seen.push(...points.y);
      build.data.push({
        type: "scatter", mode: "lines", ...points, line, xaxis: "x", yaxis: axis,
        legend: `legend${number}`, name: nameOf(trace, figure),
        hovertemplate: `%{y:.5~g} ${plain(unit)}`,
      });
      if (isNear) addFailingPoint(build, points, axis, line.color);
    }
    const bounds = boundsOf(panel, scenario, factor);
    const range = rangeOf(seen, bounds.filter(b => !b.isLimit).map(b => b.value),
                          bounds.filter(b => b.isLimit).map(b => b.value), options.limits);
    drawBounds(build, bounds, axis, range, plain(unit), place[1]);
    const title = plain(panel.title) + (unit ? ` [${plain(unit)}]` : "");
    build.layout[`yaxis${number}`] = {
      domain: place, range, anchor: "x", title: {text: title, font: {size: 11}, standoff: 6},
      gridcolor: theme.grid, zerolinecolor: theme.line, tickfont: {size: 10}, nticks: 7,
    };
    build.layout[`legend${number}`] = {
      orientation: "h", x: 0, xanchor: "left", y: place[1], yanchor: "bottom",
      bgcolor: "rgba(0,0,0,0)", font: {size: 11}, borderwidth: 0,
    };
  }

  function addFailingPoint(build, points, axis, colour) {
    const at = build.scenario.failure.at;
    let nearest = 0;
    points.x.forEach((x, i) => {
      if (Math.abs(x - at) < Math.abs(points.x[nearest] - at)) nearest = i;
    });
    build.data.push({
      type: "scatter", mode: "markers", x: [points.x[nearest]], y: [points.y[nearest]],
      xaxis: "x", yaxis: axis, showlegend: false, hoverinfo: "skip",
      marker: {size: 12, symbol: "circle-open", color: colour, line: {width: 2.5}},
    });
  }

  // A row of boxes over time, each with its text where that fits; boxes of one look are one trace.
  function addStrip(build, boxes, number, place, title) {
    const looks = new Map();
    for (const box of boxes) {
      const look = `${box.colour} ${box.ink} ${box.hatch}`;
      looks.set(look, [...(looks.get(look) || []), box]);
    }
    for (const alike of looks.values()) {
      const {colour, ink, hatch} = alike[0];
      build.data.push({
        type: "bar", orientation: "h", xaxis: "x", yaxis: `y${number}`, showlegend: false, width: 1,
        base: alike.map(b => b.from), x: alike.map(b => b.to - b.from), y: alike.map(() => 0),
        text: alike.map(b => plain(b.text)), textposition: "inside", insidetextanchor: "start",
        textangle: 0, insidetextfont: {size: 11, color: ink}, cliponaxis: true,
        marker: {
          color: colour, line: {color: build.theme.card, width: 1},
          pattern: {shape: hatch, size: 6, solidity: 0.18, fillmode: "overlay", fgcolor: "#333"},
        },
        hovertext: alike.map(b => plain(b.hover)), hoverinfo: "text",
      });
    }
    build.layout[`yaxis${number}`] = {
      domain: place, range: [-0.5, 0.5], anchor: "x", fixedrange: true, showgrid: false,
      zeroline: false, tickvals: [0], ticktext: [title], tickfont: {size: 10},
    };
  }

  const span = (from, to) => `${digits(from)} s to ${digits(to)} s`;

  function stepBoxes({scenario, theme}) {
    const boxes = [];
    scenario.steps.forEach((step, i) => {
      if (step.at === null || step.until === null) return;
      const bad = step.status === "failed" || step.status === "error";
      boxes.push({
        from: step.at, to: Math.max(step.until, step.at), text: `${i + 1} ${short(step.label, 60)}`,
        colour: bad ? theme.badBack : i % 2 ? theme.stepOdd : theme.stepEven,
        ink: bad ? theme.bad : theme.text, hatch: bad ? "x" : "",
        hover: `step ${i + 1}: ${step.label} (${step.status})\n${span(step.at, step.until)}`,
      });
    });
    return boxes;
  }

  function modeBoxes({scenario, figure}) {
    const modes = scenario.modes[figure.joint] || [];
    return modes.map(([from, mode, interaction], i) => {
      const to = i + 1 < modes.length ? modes[i + 1][0] : scenario.end;
      const words = interaction === "compliant" ? `${mode}, compliant` : mode;
      return {
        from, to, mode, text: words, colour: modeColour(mode, 1), ink: "#111",
        hatch: interaction === "compliant" ? "/" : "", hover: `${words}\n${span(from, to)}`,
      };
    });
  }

  function tintByMode(build, boxes, axis) {
    for (const box of boxes) {
      build.shapes.push({
        type: "rect", layer: "below", xref: "x", x0: box.from, x1: box.to, yref: `${axis} domain`,
        y0: 0, y1: 1, line: {width: 0}, fillcolor: modeColour(box.mode, build.theme.tint),
      });
    }
  }

  function verticalLine(build, at, colour, dash, width) {
    build.shapes.push({
      type: "line", xref: "x", x0: at, x1: at, yref: "paper", y0: 0, y1: build.linesTop || 1,
      line: {color: colour, width, dash},
    });
  }

  // Marks, events and the failure, those first whose texts matter most.
  function flagsOf({scenario, figure, theme}, range) {
    const flags = [];
    if (scenario.failure) {
      flags.push({at: scenario.failure.at, text: "first failure", colour: theme.bad, rank: 0});
    }
    const kMostLimited = 30;  // a limit that comes and goes all the time must not hide the curves
    let limited = 0;
    for (const event of scenario.events) {
      if (figure.joint && event.joint && event.joint !== figure.joint) continue;
      if (event.kind === "limited" && ++limited > kMostLimited) continue;
      const bad = event.kind === "fault" || event.kind === "fault_stays";
      const rank = bad ? 1 : event.kind === "limited" ? 4 : 2;
      const colour = bad ? theme.bad : theme.event;
      flags.push({at: event.at, text: eventText(event, figure), colour, rank});
    }
    for (const [at, name] of scenario.marks) {
      if (name.endsWith(".start")) continue;  // the strip of steps shows it
      flags.push({at, text: `mark ${name}`, colour: theme.soft, rank: 3});
    }
    return flags.filter(flag => flag.at !== null && flag.at >= range[0] && flag.at <= range[1])
        .sort((a, b) => a.rank - b.rank || a.at - b.at);
  }

  // Gives each flag a row where its text is free of others; without one it stays a bare line.
  function placeFlags(flags, range, width) {
    const kLetter = 5.6;  // pixels, at that size
    const rows = Array.from({length: kMostFlagRows}, () => []);
    for (const flag of flags) {
      flag.text = short(flag.text, 36);
      const wide = flag.text.length * kLetter + 8;
      const x = (flag.at - range[0]) / (range[1] - range[0]) * width;
      flag.isLeft = x + wide > width && x > wide;
      const [from, to] = flag.isLeft ? [x - wide, x] : [x, x + wide];
      flag.row = rows.findIndex(row => row.every(other => to <= other[0] || from >= other[1]));
      if (flag.row >= 0) rows[flag.row].push([from, to]);
    }
    return rows.filter(row => row.length > 0).length;
  }

  // Steps, marks, events and the failure, as lines through all panels, their texts above.
  function addLines(build, flags, range, yOfRow) {
    const {scenario, theme} = build;
    const kMostStepLines = 40;
    for (const step of scenario.steps.length <= kMostStepLines ? scenario.steps : []) {
      if (step.at === null || step.at < range[0] || step.at > range[1]) continue;
      verticalLine(build, step.at, theme.line, "dot", 1);
    }
    for (const flag of flags) {
      const isFailure = flag.rank === 0;
      verticalLine(build, flag.at, flag.colour, isFailure ? "solid" : "3px,2px", isFailure ? 2 : 1);
      if (flag.row < 0) continue;
      build.annotations.push({
        x: flag.at, xref: "x", xanchor: flag.isLeft ? "right" : "left", y: yOfRow(flag.row),
        yref: "paper", yanchor: "middle", showarrow: false, text: plain(flag.text),
        font: {size: 10, color: flag.colour}, borderpad: 2,
      });
    }
  }

  function eventText(event, figure) {
    const prefix = event.joint + ": ";
    const own = event.joint && event.joint === figure.joint && event.text.startsWith(prefix);
    const text = own ? event.text.slice(prefix.length) : event.text;
    if (event.kind === "calibrated") return text;
    const first = text.split(event.kind === "limited" ? ":" : ",")[0];
    return first.includes(event.kind.split("_")[0]) ? first : `${event.kind.replace(/_/g, " ")} ${first}`;
  }

  function frame(theme, height, range) {
    return {
      height, paper_bgcolor: theme.card, plot_bgcolor: "rgba(0,0,0,0)",
      font: {family: theme.font, size: 12, color: theme.text},
      margin: {l: kLeft, r: kRight, t: kTop, b: kBottom}, hovermode: "x unified", barmode: "overlay",
      hoverlabel: {bgcolor: theme.card, bordercolor: theme.line, font: {color: theme.text, size: 11}},
      uniformtext: {mode: "hide", minsize: 9},
      modebar: {bgcolor: "rgba(0,0,0,0)", color: theme.soft, activecolor: theme.text},
      xaxis: {
        range, title: {text: "time [s]", font: {size: 11}, standoff: 4}, gridcolor: theme.grid,
        zeroline: false, tickfont: {size: 10}, anchor: "free", position: 0,
        hoverformat: ".4~f", unifiedhovertitle: {text: "%{x} s"},
      },
    };
  }

  function rangeOfTime(scenario, isNear) {
    if (isNear) {
      const times = scenario.failure.times;
      return [times[0], times[times.length - 1]];
    }
    const times = scenario.t || (scenario.t = timesOf(scenario));
    const begin = times.length ? times[0] : 0;
    return [begin, Math.max(scenario.end, begin + scenario.span)];
  }

  // What Plotly is given for a canvas so many pixels wide.
  function describe(scenario, figure, options, theme, width) {
    const isNear = figure === (scenario.failure || {}).figure;
    const range = rangeOfTime(scenario, isNear);
    const build = {scenario, figure, options, theme, isNarrow: width < 560,
                   data: [], shapes: [], annotations: []};
    const clip = boxes => boxes.map(box => ({
      ...box, from: Math.max(box.from, range[0]), to: Math.min(box.to, range[1]),
    })).filter(box => box.to > box.from);
    const modes = clip(modeBoxes(build));
    const strips = [[clip(stepBoxes(build)), "step"], [modes, "mode"]].filter(s => s[0].length > 0);
    const flags = flagsOf(build, range);
    const rows = placeFlags(flags, range, width - kLeft - kRight);
    const inner = strips.length * kStripHeight + rows * kFlagHeight +
        figure.panels.length * (kPanelHeight + kGap);
    build.layout = frame(theme, inner + kTop + kBottom, range);
    build.layout.uirevision = `${options.angle} ${options.limits}`;  // else a redraw keeps the zoom

    let top = inner;
    const below = height => { top -= height; return [Math.max(0, top / inner), (top + height) / inner]; };
    strips.forEach(([boxes, title], i) => {
      addStrip(build, boxes, figure.panels.length + 1 + i, below(kStripHeight), title);
    });
    build.linesTop = top / inner;
    const rowsTop = top;
    addLines(build, flags, range, row => (rowsTop - (row + 0.5) * kFlagHeight) / inner);
    top -= rows * kFlagHeight;
    figure.panels.forEach((panel, i) => {
      top -= kGap;
      addPanel(build, panel, i === 0 ? "" : String(i + 1), below(kPanelHeight));
    });
    tintByMode(build, modes, "y");
    Object.assign(build.layout, {shapes: build.shapes, annotations: build.annotations});
    return {data: build.data, layout: build.layout};
  }

  function draw(canvas, scenario, figure, options, theme) {
    const width = options.width || canvas.clientWidth;
    const {data, layout} = describe(scenario, figure, options, theme, width);
    layout.width = width;
    return Plotly.react(canvas, data, layout, {
      displaylogo: false, doubleClick: "reset",
      showSendToCloud: false, plotlyServerURL: "",  // the button that would send it to a server
      modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
      toImageButtonOptions: {filename: figure.title.replace(/[^\w-]+/g, "_")},
    });
  }

  return {draw, describe};
})();
