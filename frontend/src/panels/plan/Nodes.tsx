/** A planning job as its tree: whom it asked, what that took, what was left out and why it went so. */
import { useTranslation } from "react-i18next";
import { lasting } from "@/ui/times";
import classes from "../Panels.module.css";
import type { PlanNode } from "./plan";
import { spend } from "./spend";

interface NodesProps {
  nodes: readonly PlanNode[];
  /** The node whose children these are; empty at the top. */
  under?: string;
}

export function Nodes({ nodes, under = "" }: NodesProps) {
  const known = new Set(nodes.map((node) => node.id));
  const here = nodes.filter((node) =>
    under === "" ? node.under === "" || !known.has(node.under) : node.under === under,
  );
  if (here.length === 0) return null;
  return (
    <ul className={classes.tree}>
      {here.map((node) => (
        <li key={node.id}>
          <One node={node} />
          <Nodes nodes={nodes} under={node.id} />
        </li>
      ))}
    </ul>
  );
}

function One({ node }: { node: PlanNode }) {
  const { t } = useTranslation();
  const counted = (sizes: Readonly<Record<string, number>>) =>
    Object.entries(sizes)
      .map(([name, n]) => `${name} ${n.toLocaleString()}`)
      .join(" · ");
  const cost = node.cost_micros === null ? "" : spend([{ [node.currency]: node.cost_micros }]);
  const facts = [
    node.model,
    node.seconds > 0 ? lasting(node.seconds) : "",
    node.attempts > 1 ? t("plan.attempts", { n: node.attempts }) : "",
    node.prompt === null
      ? ""
      : t("plan.tokens", {
          prompt: node.prompt.toLocaleString(),
          completion: (node.completion ?? 0).toLocaleString(),
          cached: (node.cached ?? 0).toLocaleString(),
        }),
    cost,
  ];
  return (
    <>
      <p className={classes.text}>
        {t(`plan.nodes.${node.kind}`)}
        {node.name !== "" && ` ${node.name}`} · {t(`plan.statuses.${node.status}`)}
      </p>
      <p className={classes.facts}>{facts.filter((one) => one !== "").join(" · ")}</p>
      {node.detail !== "" && <p className={classes.facts}>{node.detail}</p>}
      {Object.keys(node.sizes).length > 0 && (
        <p className={classes.facts}>{t("plan.sizes", { sizes: counted(node.sizes) })}</p>
      )}
      {Object.keys(node.left_out).length > 0 && (
        <p className={classes.facts}>{t("plan.leftOut", { sizes: counted(node.left_out) })}</p>
      )}
      {node.lines.length > 0 && (
        <details className={classes.details}>
          <summary>{t("plan.baseless", { n: node.lines.length })}</summary>
          <p className={classes.text}>{node.lines.join("\n")}</p>
        </details>
      )}
    </>
  );
}
