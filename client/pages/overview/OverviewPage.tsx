import type { AssetFiles } from "../../assets/AssetTags.tsx";
import { CodeBlock, CopyStatus } from "../code/CodeBlock.tsx";
import { ScrollTable, type TeamNavigation, TeamPage } from "../team/TeamPage.tsx";
import {
  CombinationMatrix,
  type MatrixProps,
  type OverviewField,
  type OverviewText,
  SelectionForm,
} from "./Selection.tsx";
import { ServiceDocuments, type ServiceDocumentsProps } from "./ServiceDocuments.tsx";

/** A key of the overview's texts. */
export type OverviewTextKey = Parameters<OverviewText>[0];

export interface OverviewProps extends AssetFiles {
  text: OverviewText;
  navigation: TeamNavigation;
  shops: { url: string; locale: string; name: string }[];
  /** The names of query parameters with an unknown value. */
  faults: string[];
  matrix: Omit<MatrixProps, "text">;
  fields: OverviewField[];
  /** The selected response, or in `emptyReason` why there is none to show. */
  preview: { title: string; path: string; emptyReason: OverviewTextKey | undefined };
  include: { introduction: string; snippets: OverviewSnippet[] };
  /** The footer content of each site; undefined without a content service. */
  contents: FooterContent[] | undefined;
  services: ServiceDocumentsProps;
}

export interface OverviewSnippet {
  name: OverviewTextKey;
  hint: OverviewTextKey;
  blocks: { label: OverviewTextKey; code: string }[];
}

/** The origin of a site's footer content. */
interface FooterContent {
  site: string;
  locale: string;
  name: string;
  /** The parts that come from the content service. */
  parts: readonly ("footer" | "texts")[];
  /** In milliseconds; undefined before the service's first answer. */
  since: number | undefined;
  /** The service's last answer if it was refused, with the first of its `count` faults. */
  refused: { at: number; faults: readonly string[]; count: number } | undefined;
}

/** Shows page teams the fragments in every site and state, with the code that includes them. */
export function OverviewPage({ text, navigation, styles, scripts, ...props }: OverviewProps) {
  const sections = {
    include: <IncludeSnippets text={text} {...props.include} />,
    combinations: <CombinationMatrix text={text} {...props.matrix} />,
    preview: (
      <>
        <SelectionForm text={text} fields={props.fields} />
        <Preview text={text} {...props.preview} />
      </>
    ),
    contents: props.contents && <FooterContents text={text} rows={props.contents} />,
  };
  const ids = (["include", "combinations", "preview", "contents"] as const).filter((id) => sections[id]);
  const contents = (
    <nav className="sf-team-contents" aria-label={text("toc.label")}>
      <ul>
        {ids.map((id) => (
          <li key={id}>
            <a href={`#${id}`}>{text(`toc.${id}`)}</a>
          </li>
        ))}
        <li>
          <a href="#services">{props.services.text("heading")}</a>
        </li>
      </ul>
    </nav>
  );
  return (
    <TeamPage
      navigation={navigation}
      title={text("title")}
      heading={text("heading")}
      intro={text("intro")}
      styles={styles}
      scripts={scripts}
      className="sf-overview"
      header={<Shops text={text} shops={props.shops} />}
      contents={contents}
    >
      <Faults text={text} faults={props.faults} />
      {ids.map((id) => (
        <section key={id} id={id} aria-labelledby={`${id}-heading`}>
          <h2 id={`${id}-heading`}>{text(`${id}.heading`)}</h2>
          {sections[id]}
        </section>
      ))}
      <ServiceDocuments {...props.services} />
    </TeamPage>
  );
}

function Shops({ text, shops }: Pick<OverviewProps, "text" | "shops">) {
  return (
    <nav className="sf-overview-shops" aria-labelledby="shops">
      <h2 id="shops">{text("shops.heading")}</h2>
      <ul className="sf-overview-row">
        {shops.map((shop) => (
          <li key={shop.url}>
            <a className="sf-overview-pill" href={shop.url} lang={shop.locale} hrefLang={shop.locale}>
              {shop.name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Faults({ text, faults }: Pick<OverviewProps, "text" | "faults">) {
  if (faults.length === 0) return null;
  return (
    <section className="sf-overview-notice" aria-labelledby="faults">
      <h2 id="faults">{text("faults.heading")}</h2>
      <ul>
        {faults.map((name) => (
          <li key={name}>{text("faults.item", { name })}</li>
        ))}
      </ul>
    </section>
  );
}

/**
 * The selected response in a frame. The script makes the frame as high as its content, and readers can resize it at its
 * corner.
 */
function Preview({ text, title, path, emptyReason }: Pick<OverviewProps, "text"> & OverviewProps["preview"]) {
  return (
    <>
      <p className="sf-overview-address">
        <strong>{title}</strong>
        <code>{path}</code>
        <a href={path}>{text("preview.open")}</a>
      </p>
      {emptyReason ? (
        <p className="sf-overview-nothing">{text(emptyReason)}</p>
      ) : (
        <div className="sf-overview-frame">
          <iframe title={title} src={path} loading="lazy" data-fit />
        </div>
      )}
    </>
  );
}

/** Code to copy, for each composer: what a page needs, and the rest behind it. */
function IncludeSnippets({ text, introduction, snippets }: Pick<OverviewProps, "text"> & OverviewProps["include"]) {
  return (
    <>
      <p className="sf-overview-hint">{introduction}</p>
      {snippets.map(({ name, hint, blocks }, index) => {
        const [first, ...others] = blocks.map(({ label, code }) => (
          <CodeBlock
            key={label}
            id={`${name}-${label}`.replaceAll(".", "-")}
            label={text(label)}
            code={code}
            copy={{ text: text("copy"), what: `${text(name)}, ${text(label)}` }}
          />
        ));
        return (
          <details key={name} className="sf-overview-details" open={index === 0}>
            <summary>
              <h3>{text(name)}</h3>
            </summary>
            <p className="sf-overview-hint">{text(hint)}</p>
            {first}
            {others.length > 0 && (
              <details className="sf-overview-details">
                <summary>{text("include.more")}</summary>
                {others}
              </details>
            )}
          </details>
        );
      })}
      <CopyStatus done={text("copy.done")} failed={text("copy.failed")} />
    </>
  );
}

/** The origin of each site's footer content, and the answers of the content service that were refused. */
function FooterContents({ text, rows }: { text: OverviewText; rows: FooterContent[] }) {
  const columns = ["matrix.site", "contents.shown", "contents.since", "contents.refused"] as const;
  return (
    <>
      <p className="sf-overview-hint">{text("contents.hint")}</p>
      <ScrollTable
        label={text("contents.caption")}
        hasCaption
        className="sf-overview-content"
        columns={columns.map((column) => text(column))}
      >
        {rows.map(({ site, locale, name, parts: [part, other], since, refused }) => (
          <tr key={site}>
            <th scope="row">
              <span lang={locale}>{name}</span> <span className="sf-overview-quiet">{site}</span>
            </th>
            <td>{text(other ? "contents.both" : `contents.${part ?? "builtIn"}`)}</td>
            <td>{since === undefined ? text("contents.unanswered") : <Time at={since} />}</td>
            <td>{refused ? <Refused text={text} {...refused} /> : text("contents.nothingRefused")}</td>
          </tr>
        ))}
      </ScrollTable>
    </>
  );
}

function Refused({ text, at, faults, count }: { text: OverviewText } & NonNullable<FooterContent["refused"]>) {
  return (
    <>
      <Time at={at} />
      <ul>
        {faults.map((fault) => (
          <li key={fault}>
            <code>{fault}</code>
          </li>
        ))}
      </ul>
      {count > faults.length && text("contents.more", { listed: String(faults.length), all: String(count) })}
    </>
  );
}

function Time({ at }: { at: number }) {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", dateStyle: "medium", timeStyle: "long" });
  return <time dateTime={new Date(at).toISOString()}>{format.format(at)}</time>;
}
