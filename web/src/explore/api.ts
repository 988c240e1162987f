// What the program is asked, and what it replies (docs/explore.md). The page does not care how
// requests travel: by HTTP, or over the kernel of a notebook.

export interface State {
  version: number;
  name: string;
  objects: number;
  shape: "features" | "similarity" | "distance" | "graph";
  asked: number | null;
  answers: number;
  /** What undo takes back; null: nothing. */
  undo: string | null;
  cost: number | null;
  strength: number;
  path: { points: { strength: number; clusters: number }[]; chosen: number } | null;
  warnings: string[];
}

export interface Changed extends State {
  /** [object, label] of each that moved; null: too many, ask for all labels. */
  changed: [number, number][] | null;
  changed_count: number;
  links: number;
  /** Of teaching: whether the groups do as they were taught. */
  followed?: boolean;
}

export interface Question {
  done: false;
  a: number;
  b: number;
  left: string;
  right: string;
  heading: string;
  chance: number | null;
  traits: { name: string; left: string; right: string; differs: boolean }[];
}

export interface Explanation {
  name: string;
  own: SeenCluster;
  next: SeenCluster | null;
  margin: number;
  must_link: number[];
  cannot_link: number[];
}

export interface SeenCluster {
  cluster: number;
  size: number;
  affinity: number;
  ties: { object: number; name: string; value: number }[];
}

export interface Found {
  found: { object: number; name: string; where: string }[];
  is_whole: boolean;
}

export interface Rows {
  columns: string[];
  more_columns: number;
  rows: { object: number; name: string; cells: string[] }[];
}

export type Says = "same" | "different" | "unsure";

export interface Reply {
  status: number;
  body: ArrayBuffer;
}

/** Carries a request; `body` makes it a change. */
export type Transport = (path: string, body?: string) => Promise<Reply>;

/** The program refused: its words, and the status of HTTP; 0: there was no reply. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const overHttp: Transport = async (path, body) => {
  const how =
    body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body };
  const reply = await fetch(path, how);
  return { status: reply.status, body: await reply.arrayBuffer() };
};

const NO_REPLY =
  "The program does not reply: it may have ended. What was saved is safe; start it again and open " +
  "the new address.";

export class Api {
  constructor(private readonly transport: Transport) {}

  async bytes(path: string, body?: unknown): Promise<ArrayBuffer> {
    let reply: Reply;
    try {
      reply = await this.transport(path, body === undefined ? undefined : JSON.stringify(body));
    } catch {
      throw new Refused(0, NO_REPLY);
    }
    if (reply.status >= 200 && reply.status < 300) return reply.body;
    let message = `status ${reply.status}`;
    try {
      message = (JSON.parse(textOf(reply.body)) as { error: string }).error;
    } catch {
      // no JSON: the status says enough
    }
    throw new Refused(reply.status, message);
  }

  async json<T>(path: string, body?: unknown): Promise<T> {
    return JSON.parse(textOf(await this.bytes(path, body))) as T;
  }

  /** Labels, and the version they are of. */
  async labels(point?: number): Promise<{ version: number; labels: Int32Array }> {
    const bytes = await this.bytes(
      point === undefined ? "api/labels" : `api/labels?point=${point}`,
    );
    return { version: new Uint32Array(bytes, 0, 1)[0] ?? 0, labels: new Int32Array(bytes, 4) };
  }
}

const textOf = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);
