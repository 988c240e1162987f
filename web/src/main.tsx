// The report, top to bottom.
import { type JSX, render } from "preact";
import { useState } from "preact/hooks";
import { BlockSection } from "./blocks";
import { ClassSection } from "./classes";
import { ClusterSection } from "./clusters";
import { type ReportData, readData } from "./data";
import { DescribedSection } from "./described";
import { MapSection } from "./map";
import { Name } from "./name";
import { PathSection } from "./path";
import { howAlike, howSure, shiftUsed, stoppedEarly, whatWasDone } from "./sentences";
import { StandingSection } from "./standing";
import "./style.css";
import { ThemeContext, useTheme } from "./theme";

export function Report({ data }: { data: ReportData }): JSX.Element {
  const [theme, toggle] = useTheme();
  const [chosen, choose] = useState<number | null>(null);
  const early = stoppedEarly(data.about.stop_reason);
  return (
    <ThemeContext.Provider value={theme}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <div>
          <p class="kind">Shiftcut report</p>
          <h1>
            <Name text={data.about.title} />
          </h1>
        </div>
        <button type="button" class="no-print" onClick={toggle}>
          {theme === "dark" ? "Light" : "Dark"}
        </button>
      </header>
      <Contents data={data} />
      <main id="content">
        <section id="summary" aria-labelledby="summary-title">
          <h2 id="summary-title" class="hidden">
            Summary
          </h2>
          <p class="lead">{whatWasDone(data)}</p>
          <p>
            {howAlike(data)} {shiftUsed(data)}
            {data.agreement && ` ${howSure(data.agreement)}`}
            {early && ` ${early}`}
          </p>
          <Warnings data={data} />
        </section>
        {data.map && <MapSection map={data.map} objects={data.about.objects} chosen={chosen} />}
        <ClusterSection
          clusters={data.clusters}
          objects={data.about.objects}
          chosen={chosen}
          choose={choose}
        />
        {data.described && <DescribedSection data={data} described={data.described} />}
        {data.blocks && data.blocks.clusters.length > 1 && <BlockSection blocks={data.blocks} />}
        <PathSection path={data.path} />
        {data.standing && <StandingSection standing={data.standing} />}
        {data.classes && (
          <ClassSection
            classes={data.classes}
            numbers={Array.from({ length: data.clusters.found }, (_, k) => k)}
          />
        )}
        <Reproduce data={data} />
      </main>
    </ThemeContext.Provider>
  );
}

function Contents({ data }: { data: ReportData }): JSX.Element {
  const parts: [string, string, boolean][] = [
    ["map", "Map", data.map !== null],
    ["clusters", "Clusters", true],
    ["described", "What sets them apart", data.described !== null],
    ["blocks", "Similarities", (data.blocks?.clusters.length ?? 0) > 1],
    ["path", "Strengths", data.path.points.length > 0],
    ["standing", "Doubtful objects", data.standing !== null],
    ["classes", "Known classes", data.classes !== null],
    ["again", "Reproduce", true],
  ];
  return (
    <nav aria-label="Sections" class="no-print">
      {parts
        .filter(([, , isThere]) => isThere)
        .map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
    </nav>
  );
}

function Warnings({ data }: { data: ReportData }): JSX.Element | null {
  if (data.warnings.length === 0) return null;
  return (
    <aside class="warnings" aria-labelledby="warnings-title">
      <h3 id="warnings-title">What to watch out for</h3>
      <ul>
        {data.warnings.map(({ code, text }, i) => (
          <li key={i} data-code={code}>
            <Name text={text} />
          </li>
        ))}
      </ul>
    </aside>
  );
}

function Reproduce({ data }: { data: ReportData }): JSX.Element {
  const { command, version, seed } = data.about;
  return (
    <section id="again" aria-labelledby="again-title">
      <h2 id="again-title">The same again</h2>
      {command !== "" && (
        <pre>
          <code>{command}</code>
        </pre>
      )}
      <p>
        Shiftcut {version}, seed {seed}. The same data, options and seed give the same result, with
        any number of threads.
      </p>
    </section>
  );
}

const root = document.getElementById("report");
if (root) {
  const data = readData(document);
  document.title = `${data.about.title} – Shiftcut report`;
  root.replaceChildren();
  render(<Report data={data} />, root);
}
