import type { ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";

/** Says beside a name that what it names is not in its ordinary state, such as paused or failed. */
export const StateMark = ({ tone = "neutral", children }: { tone?: "neutral" | "danger"; children: ReactNode }) => (
  <span className={classNames("rounded-full px-2 text-xs", tone === "danger" ? "bg-danger/12 text-danger" : "bg-hover text-text-2")}>{children}</span>
);
