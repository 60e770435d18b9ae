import { readFileSync } from "node:fs";
import { parser } from "@prometheus-io/lezer-promql";
import { parse } from "yaml";

/** A query of PromQL, and where it stands. */
export interface Query {
  title: string;
  text: string;
  /** The names of labels in the words that show its result. */
  shown: string[];
}

/** A metric of a query, with what it takes of its labels. */
export interface Selector {
  metric: string;
  matchers: { label: string; operator: string; value: string }[];
}

export interface ParsedQuery {
  selectors: Selector[];
  /** Whether series are taken together, and by which labels. */
  isAggregate: boolean;
  grouped: string[];
}

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

interface Panel {
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

/** The alerts of deploy/prometheus/alerts.yml. */
export function readAlerts(): Alert[] {
  const { groups }: { groups: { rules: Alert[] }[] } = parse(readFileSync("deploy/prometheus/alerts.yml", "utf8"));
  return groups.flatMap(({ rules }) => rules);
}

export function readAlertQueries(): Query[] {
  return readAlerts().map(({ alert, expr, annotations }) => ({
    title: alert,
    text: expr,
    shown: [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label),
  }));
}

/** The queries of the dashboard, with a time in place of the one that Grafana puts in. */
export function readPanelQueries(): Query[] {
  const { panels }: { panels: Panel[] } = JSON.parse(readFileSync("deploy/grafana/storefront.json", "utf8"));
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      title,
      text: expr.replaceAll("$__rate_interval", "5m"),
      shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label),
    })),
  );
}

/** @throws Error when the text is no PromQL */
export function parseQuery({ title, text }: Query): ParsedQuery {
  const selectors: Selector[] = [];
  const grouped: string[] = [];
  let isAggregate = false;
  parser.parse(text).iterate({
    enter({ name, type, node, from, to }) {
      if (type.isError) throw new Error(`${title}: no PromQL after ${text.slice(0, from)}`);
      if (name === "VectorSelector") selectors.push({ metric: textOf(node.getChild("Identifier")), matchers: [] });
      if (name === "AggregateExpr") isAggregate = true;
      if (name === "LabelName" && node.parent?.name === "GroupingLabels") grouped.push(text.slice(from, to));
      if (name === "UnquotedLabelMatcher") {
        const partOf = (part: string) => textOf(node.getChild(part));
        const [label, operator, value] = [partOf("LabelName"), partOf("MatchOp"), partOf("StringLiteral").slice(1, -1)];
        selectors.at(-1)?.matchers.push({ label, operator, value });
      }
    },
  });
  return { selectors, isAggregate, grouped };

  function textOf(node: { from: number; to: number } | null): string {
    if (!node) throw new Error(`${title}: a part is missing in ${text}`);
    return text.slice(node.from, node.to);
  }
}
