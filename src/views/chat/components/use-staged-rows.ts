import { useLayoutEffect, useRef, useState } from "react";
import type { Row } from "../model/rows.ts";
import { holdPlaces, stageRows } from "../model/stage-rows.ts";

const left = (key: string): Row => ({ kind: "left", key });

/** Hands rows to the virtual list in commits that it can follow: `shift` is true in the commit in which the start changes, and only there. */
export function useStagedRows(wanted: readonly Row[]): { rows: readonly Row[]; shift: boolean } {
  const shown = useRef(wanted);
  const [, commitAgain] = useState(0);
  const stage = stageRows(shown.current, holdPlaces(shown.current, wanted, left));
  useLayoutEffect(() => {
    shown.current = stage.rows;
    if (!stage.done) commitAgain((count) => count + 1);
  }, [stage.rows, stage.done]);
  return stage;
}
