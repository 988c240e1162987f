// Explorers of the program that was built.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");
const out = resolve(import.meta.dirname, "../out");
const program = process.env.SHIFTCUT_PROGRAM ?? resolve(root, "build/shiftcut");

export interface Running {
  url: string;
  pid: number;
  end: (by?: NodeJS.Signals) => Promise<void>;
}

const all: ChildProcess[] = [];

export const answersFile = (name: string): string => resolve(out, `${name}.answers.csv`);

/** The lines of the file of answers, without its header. */
export function answersOf(name: string): string[] {
  const file = answersFile(name);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").trim().split("\n").slice(1);
}

/** `name` is of the file of answers, which an earlier start may have left (`goesOn`). */
export async function explore(name: string, args: string[], goesOn = false): Promise<Running> {
  mkdirSync(out, { recursive: true });
  if (!goesOn) rmSync(answersFile(name), { force: true });
  const server = spawn(
    program,
    ["explore", ...args, "--answers", answersFile(name), "--no-browser", "--quiet"],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  all.push(server);
  let trouble = "";
  server.stderr.on("data", (text) => {
    trouble += String(text);
  });
  const ended = new Promise<void>((done) => server.on("exit", () => done()));
  const url = await new Promise<string>((done, fail) => {
    server.stdout.once("data", (text) => done(String(text).trim()));
    server.once("exit", () => fail(new Error(trouble)));
  });
  const end = async (by: NodeJS.Signals = "SIGINT") => {
    server.kill(by);
    await ended;
  };
  return { url, pid: server.pid ?? 0, end };
}

export function endAll(): void {
  for (const server of all) if (server.exitCode === null) server.kill("SIGKILL");
}

/** Megabytes of resident memory. */
export function resident(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

export function cluster(args: string[]): string {
  return execFileSync(program, ["cluster", ...args], { encoding: "utf8" });
}
