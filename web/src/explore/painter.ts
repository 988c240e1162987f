// Draws a picture over as many animation frames as it takes: a fair sample at once, then the rest.
// While the map moves each frame begins again, so a moving map is a sample and a resting one whole.
// How many objects a frame of a moving map draws follows from how long its frames take: on a graphics
// card all. At rest each frame adds twice what the one before did.
import type { Frame, PointLayer } from "./points";

const FIRST = 60_000;
const LEAST = 8_000;
const MOST_ADDED = 200_000;
const SLOW = 30; // milliseconds between frames
const QUICK = 22;
const IDLE = 400;

export class Painter {
  private frame: Frame | null = null;
  private drawn = 0;
  private added = 0;
  private moves = false;
  private requested = 0;
  private last = Number.NEGATIVE_INFINITY;
  /** Objects of a frame that begins a picture. */
  budget: number;

  constructor(
    private readonly layer: PointLayer,
    private readonly whole: () => void,
    private readonly next: (work: (now: number) => void) => number = (work) =>
      requestAnimationFrame(work),
  ) {
    this.budget = Math.min(FIRST, layer.count);
  }

  /** From the next frame on. */
  paint(frame: Frame): void {
    this.frame = frame;
    this.drawn = 0;
    this.request();
  }

  stop(): void {
    this.frame = null;
  }

  private request(): void {
    if (this.requested === 0) this.requested = this.next((now) => this.step(now));
  }

  // Marked objects are drawn last; a sample of them also with the first sample of the others.
  private step(now: number): void {
    this.requested = 0;
    const { frame, layer } = this;
    if (!frame) return;
    const { count } = layer;
    const from = this.drawn;
    if (from === 0) {
      this.adapt(now);
      this.added = this.budget / (frame.hasMarks ? 2 : 1);
    } else {
      this.added = Math.max(this.budget, Math.min(2 * this.added, MOST_ADDED));
    }
    this.moves = from === 0;
    const to = from + Math.ceil(this.added);
    if (from === 0) layer.clear(frame);
    if (!frame.hasMarks) {
      layer.draw("all", from, Math.min(to, count));
    } else {
      layer.draw("unmarked", Math.min(from, count), Math.min(to, count));
      if (from === 0) layer.draw("marked", 0, Math.min(to, count));
      layer.draw("marked", Math.max(from - count, 0), Math.max(to - count, 0));
    }
    this.drawn = to;
    if (to < (frame.hasMarks ? 2 : 1) * count) this.request();
    else this.whole();
  }

  private adapt(now: number): void {
    const passed = this.moves ? now - this.last : IDLE;
    this.last = now;
    if (passed >= IDLE) return;
    if (passed > SLOW) this.budget *= Math.max(0.5, QUICK / passed);
    else if (passed < QUICK) this.budget *= 1.25;
    const { count } = this.layer;
    this.budget = Math.min(Math.max(this.budget, Math.min(LEAST, count)), Math.max(count, 1));
  }
}
