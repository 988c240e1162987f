// Reports made by the program that was built, of data made here.
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const out = resolve(import.meta.dirname, "../out");
const program = process.env.SHIFTCUT_PROGRAM ?? resolve(root, "build/shiftcut");

export interface Made {
  url: string;
  bytes: number;
}

/** Runs `shiftcut cluster ARGS --report`; `name` is of the page. */
export function report(name: string, args: string[]): Made {
  mkdirSync(out, { recursive: true });
  const file = resolve(out, `${name}.html`);
  execFileSync(program, ["cluster", ...args, "--quiet", "--report", file], { stdio: "pipe" });
  return { url: `file://${file}`, bytes: statSync(file).size };
}

export const example = (name: string): string => resolve(root, "examples", name);

/** Writes a file to cluster, and returns its path. */
export function written(name: string, content: string | Uint8Array): string {
  mkdirSync(out, { recursive: true });
  const file = resolve(out, name);
  writeFileSync(file, content);
  return file;
}

/** Rows around ten centres, as a NumPy array of float32. */
export function points(rows: number, columns: number): Uint8Array {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  const start = Buffer.alloc(128, " ");
  start.write("\x93NUMPY\x01\x00", "latin1");
  start.writeUInt16LE(118, 8);
  start.write(header, 10);
  start[127] = 10;
  const values = new Float32Array(rows * columns);
  let state = 1;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const centres = Float32Array.from({ length: 10 * columns }, () => 12 * uniform());
  for (let i = 0; i < rows; ++i) {
    const cluster = Math.floor(10 * uniform() ** 2);
    for (let c = 0; c < columns; ++c) {
      const noise = uniform() + uniform() + uniform() - 1.5;
      values[i * columns + c] = (centres[cluster * columns + c] ?? 0) + 1.5 * noise;
    }
  }
  return Buffer.concat([start, Buffer.from(values.buffer)]);
}
