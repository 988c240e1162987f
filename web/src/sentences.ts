// What was done, in words.
import type { Agreement, ObjectMap, ReportData } from "./data";
import { count, counted, short } from "./numbers";

const SHAPES = {
  features: "objects",
  similarity: "objects with given similarities",
  distance: "objects with given distances",
  graph: "nodes of a graph",
} as const;

export function whatWasDone({ about, clusters }: ReportData): string {
  const columns = about.columns === null ? "" : ` with ${counted(about.columns, "column")}`;
  const asked =
    clusters.asked === null
      ? "the number was not given"
      : `at most ${count(clusters.asked)} were asked for`;
  return (
    `${count(about.objects)} ${SHAPES[about.shape]}${columns} were divided into ` +
    `${counted(clusters.found, "cluster")} (${asked}).`
  );
}

const SIMILARITIES: Record<string, string> = {
  neighbors: "Objects are similar if they share nearest neighbours",
  linear: "Objects are the more similar the smaller their squared Euclidean distance",
  cosine: "Objects are similar if their rows point in the same direction",
  rbf: "Objects are similar if they are near, by a Gaussian of their distance",
  precomputed: "Similarities are those that were given",
};

export function howAlike({ about }: ReportData): string {
  let text = SIMILARITIES[about.similarity] ?? `Similarity: ${about.similarity}`;
  if (about.metric !== "") text += ` by the ${about.metric} distance`;
  if (about.distance === "euclidean") text = text.replace("squared Euclidean", "Euclidean");
  if (about.scale === "standard") text += "; columns are standardised";
  else if (about.scale === "minmax") text += "; columns are scaled to the range 0 to 1";
  else if (about.scale === "none") text += "; columns are as they are";
  if (about.scale_reason !== "") text += ` (${about.scale_reason})`;
  return `${text}.`;
}

export function howSure(agreement: Agreement): string {
  const contested =
    agreement.contested > 0
      ? `; ${counted(agreement.contested, "object")} ${agreement.contested === 1 ? "is" : "are"} contested`
      : "";
  return (
    `${count(agreement.agreeing)} of ${count(agreement.voters)} ways of looking at the data ` +
    `agree on these clusters${contested}.`
  );
}

export function stoppedEarly(reason: string): string | null {
  if (reason === "max_seconds") return "Stopped by the time limit: this is the best found so far.";
  if (reason === "interrupted") return "Interrupted: this is the best found so far.";
  return null;
}

export function shiftUsed({ path }: ReportData): string {
  if (path.points.length > 0) {
    const strengths = path.points.map((point) => point.strength);
    return (
      `The strength of the shift, ${short(path.strength)}, was chosen from ` +
      `${count(strengths.length)} between ${short(Math.min(...strengths))} and ` +
      `${short(Math.max(...strengths))}.`
    );
  }
  if (path.kind === "none") return "Similarities were not shifted.";
  if (path.constant !== null) return `The shift was the constant ${short(path.constant)}.`;
  return `The shift was given: ${path.kind}, with strength ${short(path.strength)}.`;
}

/** Which objects the map shows. */
export function whatIsDrawn(drawn: number, objects: number): string {
  return drawn < objects
    ? `${count(drawn)} of ${count(objects)} objects are drawn, taken at random from every cluster ` +
        "in proportion to its size, and at least one of each of the larger ones."
    : `All ${counted(objects, "object")} are drawn.`;
}

/** What places on the map mean, and what they do not. */
export function whatTheMapSays({ kind, axes }: ObjectMap): string {
  const [x, y] = axes;
  switch (kind) {
    case "column":
      return `From left to right: ${x ?? "the only column"}. Heights are random.`;
    case "columns":
      return x === undefined || y === undefined
        ? "The axes are the two columns."
        : `From left to right: ${x}; from bottom to top: ${y}.`;
    case "components":
      return (
        "The axes are the two principal components, along which the objects vary most. Objects " +
        "that differ in other directions may lie on each other."
      );
    case "neighbors":
      return (
        "Objects that are similar lie near each other. Distances between groups that lie apart, " +
        "and the space they take, mean little."
      );
  }
}
