// Draws all objects as points with WebGL 2, a million of them within a frame: positions are on the
// graphics card once, labels and marks when they change, and moving the map changes four numbers.
// Without a card, painter.ts spreads a picture over several frames.
// (regl-scatterplot would be the library for it, but regl makes its functions from text, which the
// page's content security policy rightly forbids.) Where there is no WebGL 2, a sample is drawn on
// a plain canvas.
import { mixedOrder, radiusOf } from "../draw_map";
import { COLOUR_COUNT, colourOf, type Theme } from "../palette";
import { type Extent, type Size, scaleOf, type View } from "../view";
import { centred, type Points } from "./geometry";

export interface Frame {
  view: View;
  extent: Extent;
  size: Size;
  ratio: number;
  theme: Theme;
  /** Whether marked objects stand out and the others are faint. */
  hasMarks: boolean;
}

export type Part = "all" | "unmarked" | "marked";

export interface PointLayer {
  /** Objects that there are to draw, in a mixed order: the first are a fair sample. */
  readonly count: number;
  readonly isWhole: boolean;
  setLabels(labels: Int32Array): void;
  /** 1 where an object stands out. */
  setMarks(marks: Uint8Array): void;
  /** Begins a picture. */
  clear(frame: Frame): void;
  /** Adds those from one place of the order up to another. */
  draw(part: Part, from: number, to: number): void;
}

const VERTEX = `#version 300 es
layout(location = 0) in vec2 place;
layout(location = 1) in int label;
layout(location = 2) in float mark;
uniform vec2 middle;
uniform vec2 scale;
uniform float diameter;
uniform float marked;  // -1: all are drawn; 0, 1: those with this mark
uniform vec3 palette[${COLOUR_COUNT}];
flat out int shape;
flat out vec3 colour;
void main() {
  bool drawn = label >= 0 && (marked < 0.0 || marked == mark);
  gl_Position = drawn ? vec4((place - middle) * scale, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
  gl_PointSize = diameter;
  shape = label % 5;
  colour = palette[label % ${COLOUR_COUNT}];
}`;

// The shapes of palette.ts, each of area pi; \`far\` is 1 on their edge.
const FRAGMENT = `#version 300 es
precision highp float;
flat in int shape;
flat in vec3 colour;
uniform float diameter;
uniform float alpha;
uniform vec4 edge;  // a line around large points
out vec4 shown;
void main() {
  vec2 at = (gl_PointCoord * 2.0 - 1.0) * 1.6;
  vec2 a = abs(at);
  float far = length(at);
  if (shape == 1) far = max(a.x, a.y) / 0.886;
  else if (shape == 2) far = max(at.y / 0.778, (a.x * 1.732 - at.y) / 1.555);
  else if (shape == 3) far = (a.x + a.y) / 1.2533;
  else if (shape == 4) far = max(min(a.x, a.y) / 0.396, max(a.x, a.y) / 1.188);
  float soft = 3.2 / diameter;
  float inside = 1.0 - smoothstep(1.0 - soft, 1.0 + soft, far);
  if (inside <= 0.0) discard;
  float line = edge.a * smoothstep(1.0 - 3.0 * soft, 1.0 - soft, far);
  shown = vec4(mix(colour, edge.rgb, line), 1.0) * inside * alpha;
}`;

const FAINT = { light: 0.13, dark: 0.3 };
const SOLID = 0.88;

/** On a canvas that nothing was drawn on. */
export function pointLayer(canvas: HTMLCanvasElement, points: Points): PointLayer | null {
  const gl = canvas.getContext("webgl2", {
    antialias: false,
    premultipliedAlpha: true,
    preserveDrawingBuffer: true, // pictures grow over several frames
  });
  if (gl) return new CardLayer(gl, points);
  const context = canvas.getContext("2d");
  return context ? new PlainLayer(context, points) : null;
}

const rgb = (hex: string): [number, number, number] => [
  Number.parseInt(hex.slice(1, 3), 16) / 255,
  Number.parseInt(hex.slice(3, 5), 16) / 255,
  Number.parseInt(hex.slice(5, 7), 16) / 255,
];

const paperOf = (theme: Theme): string => (theme === "dark" ? "#12161c" : "#ffffff");

class CardLayer implements PointLayer {
  readonly isWhole = true;
  readonly count: number;
  private faint = FAINT.light;
  private readonly labels: WebGLBuffer;
  private readonly marks: WebGLBuffer;
  private readonly uniforms = new Map<string, WebGLUniformLocation | null>();

  constructor(
    private readonly gl: WebGL2RenderingContext,
    { x, y }: Points,
  ) {
    this.count = x.length;
    const program = this.program();
    gl.useProgram(program);
    for (const name of ["middle", "scale", "diameter", "marked", "palette", "alpha", "edge"]) {
      this.uniforms.set(name, gl.getUniformLocation(program, name));
    }
    const places = new Float32Array(2 * this.count);
    for (let i = 0; i < this.count; ++i) {
      places[2 * i] = x[i] ?? 0;
      places[2 * i + 1] = y[i] ?? 0;
    }
    this.buffer(gl.ARRAY_BUFFER, places);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.labels = this.buffer(gl.ARRAY_BUFFER, new Int32Array(this.count));
    gl.enableVertexAttribArray(1);
    gl.vertexAttribIPointer(1, 1, gl.INT, 0, 0);
    this.marks = this.buffer(gl.ARRAY_BUFFER, new Uint8Array(this.count));
    gl.enableVertexAttribArray(2);
    gl.vertexAttribPointer(2, 1, gl.UNSIGNED_BYTE, false, 0, 0);
    // No cluster lies on top of all others.
    this.buffer(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.from(mixedOrder(this.count)));
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  setLabels(labels: Int32Array): void {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.labels);
    this.gl.bufferSubData(this.gl.ARRAY_BUFFER, 0, labels);
  }

  setMarks(marks: Uint8Array): void {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.marks);
    this.gl.bufferSubData(this.gl.ARRAY_BUFFER, 0, marks);
  }

  clear({ view, extent, size, ratio, theme }: Frame): void {
    const { gl } = this;
    this.faint = FAINT[theme];
    gl.viewport(0, 0, size.width * ratio, size.height * ratio);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const middle = centred(view, extent);
    const scale = scaleOf(view, extent, size);
    const radius = radiusOf(this.count, view.zoom);
    gl.uniform2f(this.at("middle"), middle.x, middle.y);
    gl.uniform2f(this.at("scale"), (2 * scale) / size.width, (2 * scale) / size.height);
    gl.uniform1f(this.at("diameter"), 3.2 * radius * ratio);
    const colours = Array.from({ length: COLOUR_COUNT }, (_, k) => rgb(colourOf(k, theme)));
    gl.uniform3fv(this.at("palette"), colours.flat());
    gl.uniform4f(this.at("edge"), ...rgb(paperOf(theme)), radius >= 3 ? 0.8 : 0);
  }

  draw(part: Part, from: number, to: number): void {
    if (to <= from) return;
    const { gl } = this;
    gl.uniform1f(this.at("marked"), part === "all" ? -1 : part === "marked" ? 1 : 0);
    gl.uniform1f(this.at("alpha"), part === "all" ? SOLID : part === "marked" ? 1 : this.faint);
    const end = Math.min(to, this.count);
    gl.drawElements(gl.POINTS, end - from, gl.UNSIGNED_INT, 4 * from);
  }

  private at(name: string): WebGLUniformLocation | null {
    return this.uniforms.get(name) ?? null;
  }

  private buffer(kind: number, data: ArrayBufferView): WebGLBuffer {
    const buffer = this.gl.createBuffer();
    if (!buffer) throw new Error("the graphics card has no memory left");
    this.gl.bindBuffer(kind, buffer);
    this.gl.bufferData(kind, data, this.gl.DYNAMIC_DRAW);
    return buffer;
  }

  private program(): WebGLProgram {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, VERTEX],
      [gl.FRAGMENT_SHADER, FRAGMENT],
    ] as const) {
      const shader = gl.createShader(kind);
      if (!shader) throw new Error("the graphics card takes no programs");
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
      throw new Error(`the graphics card refuses the program: ${gl.getProgramInfoLog(program)}`);
    }
    return program;
  }
}

const MOST_PLAIN = 30_000;

class PlainLayer implements PointLayer {
  readonly count: number;
  readonly isWhole: boolean;
  private readonly order: number[];
  private labels: Int32Array;
  private marks: Uint8Array;
  private frame: Frame | null = null;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly points: Points,
  ) {
    const all = points.x.length;
    this.order = mixedOrder(all).slice(0, MOST_PLAIN);
    this.count = this.order.length;
    this.isWhole = this.count === all;
    this.labels = new Int32Array(all);
    this.marks = new Uint8Array(all);
  }

  setLabels(labels: Int32Array): void {
    this.labels = labels;
  }

  setMarks(marks: Uint8Array): void {
    this.marks = marks;
  }

  clear(frame: Frame): void {
    const { size, ratio } = frame;
    this.frame = frame;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, size.width, size.height);
  }

  draw(part: Part, from: number, to: number): void {
    const { context, frame } = this;
    if (!frame) return;
    const { view, extent, size, theme } = frame;
    const middle = centred(view, extent);
    const scale = scaleOf(view, extent, size);
    const side = 1.8 * radiusOf(this.count, view.zoom);
    context.globalAlpha = part === "all" ? SOLID : part === "marked" ? 1 : FAINT[theme];
    for (const i of this.order.slice(from, to)) {
      const label = this.labels[i] ?? -1;
      if (label < 0 || (part !== "all" && (this.marks[i] === 1) !== (part === "marked"))) continue;
      const x = size.width / 2 + ((this.points.x[i] ?? 0) - middle.x) * scale;
      const y = size.height / 2 - ((this.points.y[i] ?? 0) - middle.y) * scale;
      context.fillStyle = colourOf(label, theme);
      context.fillRect(x - side / 2, y - side / 2, side, side);
    }
  }
}
