import { useLayoutEffect, useRef, useState } from "react";
import type { Row } from "../model/rows.ts";
import { insertPlaceholders, planCommit } from "../model/stage-rows.ts";

const createPlaceholder = (key: string): Row => ({ kind: "left", key });

/** Passes rows to the virtual list in commits it can follow: `shift` is true only in a commit that changes the start. */
export function useVirtualizerShift(nextRows: readonly Row[]): { rows: readonly Row[]; shift: boolean } {
  const currentRows = useRef(nextRows);
  const [, rerender] = useState(0);
  const plan = planCommit(currentRows.current, insertPlaceholders(currentRows.current, nextRows, createPlaceholder));
  useLayoutEffect(() => {
    currentRows.current = plan.rows;
    if (!plan.done) rerender((count) => count + 1);
  }, [plan.rows, plan.done]);
  return plan;
}
