import { describe, expect, test } from "vitest";
import type { ReportData } from "../src/data";
import { percent, short } from "../src/numbers";
import {
  howAlike,
  howSure,
  shiftUsed,
  whatIsDrawn,
  whatTheMapSays,
  whatWasDone,
} from "../src/sentences";
import { wine } from "./example";

const changed = (change: (data: ReportData) => void): ReportData => {
  const data = structuredClone(wine);
  change(data);
  return data;
};

describe("sentences", () => {
  test("say what was done", () => {
    expect(whatWasDone(wine)).toBe(
      "178 objects with 13 columns were divided into 3 clusters (at most 3 were asked for).",
    );
    const one = changed((data) => {
      data.clusters.found = 1;
      data.clusters.asked = null;
      data.about.columns = 1;
    });
    expect(whatWasDone(one)).toBe(
      "178 objects with 1 column were divided into 1 cluster (the number was not given).",
    );
  });

  test("say by what objects are alike", () => {
    expect(howAlike(wine)).toContain("share nearest neighbours by the euclidean distance");
    const unknown = changed((data) => {
      data.about.similarity = "something new";
    });
    expect(howAlike(unknown)).toContain("something new");
  });

  test("say how the shift came about", () => {
    expect(shiftUsed(wine)).toBe(
      "The strength of the shift, 4, was chosen from 3 between 0.5 and 4.",
    );
    const given = changed((data) => {
      data.path = { kind: "constant", strength: 1, constant: 0.25, points: [], judged: [] };
    });
    expect(shiftUsed(given)).toBe("The shift was the constant 0.25.");
  });

  test("count one object as one", () => {
    expect(howSure({ voters: 26, agreeing: 9, score: 0.5, contested: 1 })).toBe(
      "9 of 26 ways of looking at the data agree on these clusters; 1 object is contested.",
    );
  });

  test("say what the map shows", () => {
    const map = wine.map ?? expect.fail("the example has a map");
    expect(whatTheMapSays(map)).toContain("similar lie near each other");
    expect(whatTheMapSays({ ...map, kind: "columns", axes: ["a", "b"] })).toBe(
      "From left to right: a; from bottom to top: b.",
    );
  });

  test("say that a sample is one", () => {
    expect(whatIsDrawn(20000, 1000000)).toContain("20,000 of 1,000,000 objects");
    expect(whatIsDrawn(178, 178)).toBe("All 178 objects are drawn.");
  });
});

describe("numbers", () => {
  test("keep three digits", () => {
    expect(short(0.000488)).toBe("4.9e-4");
    expect(short(1.4567)).toBe("1.46");
    expect(short(12345.6)).toBe("12300");
    expect(short(0)).toBe("0");
  });

  test("never round a share to nothing or to all", () => {
    expect(percent(0.0001)).toBe("<0.1%");
    expect(percent(0.99999)).toBe(">99.9%");
    expect(percent(1)).toBe("100.0%");
    expect(percent(0)).toBe("0.0%");
  });
});
