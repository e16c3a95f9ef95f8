import { useLayoutEffect, useRef, useState } from "react";
import { stageRows } from "../model/stage-rows.ts";

/** Hands rows to the virtual list in commits that it can follow: `shift` is true in the commit in which the start changes, and only there. */
export function useStagedRows<R extends { key: string }>(wanted: readonly R[]): { rows: readonly R[]; shift: boolean } {
  const shown = useRef(wanted);
  const [, commitAgain] = useState(0);
  const stage = stageRows(shown.current, wanted);
  useLayoutEffect(() => {
    shown.current = stage.rows;
    if (!stage.done) commitAgain((count) => count + 1);
  }, [stage.rows, stage.done]);
  return stage;
}
