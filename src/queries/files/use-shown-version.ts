import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FileInfoAnswer } from "../../../contract/records.ts";
import { isMissing } from "../problems.ts";
import { versionQueries } from "./version-options.ts";

interface Shown {
  /** As the version that is shown has them; of the one before while it loads. */
  info: FileInfoAnswer;
  /** Null where the service tells no versions. */
  version: number | null;
  newest: number | null;
  /** The wished one is not there, or the service tells none but the newest. */
  missing: boolean;
}

const numberOf = ({ common }: FileInfoAnswer): number | null => (typeof common["version"] === "number" ? common["version"] : null);

/**
 * Whether another version than the wished one is what the service has: it says so, or answers with the newest since it tells no others.
 * What merely fails says nothing about it: what is shown stays.
 */
export function isGone(version: number | null, { data, error }: { data: FileInfoAnswer | undefined; error: Error | null }): boolean {
  return data === undefined ? error !== null && isMissing(error) : numberOf(data) !== version;
}

/**
 * The version that is looked at: the wished one, else the newest at the time the page was opened.
 * One that comes later is offered, and takes nobody's sound away.
 */
export function useShownVersion(newest: FileInfoAnswer, wish: number | null): Shown {
  const known = numberOf(newest);
  const [opened, setOpened] = useState(known);
  const [lastWish, setLastWish] = useState(wish);
  if (wish !== lastWish) {
    // Back to no wish is a choice too: of the newest.
    setLastWish(wish);
    setOpened(wish ?? known);
  }
  const version = wish ?? opened;
  const isNewest = known === null || version === null || version === known;
  const answer = useQuery(versionQueries.info(newest.common.id, isNewest ? null : version));
  const missing = !isNewest && isGone(version, answer);
  // Until the other version is loaded the one before stays in sight.
  const [held, setHeld] = useState(newest);
  const shown = isNewest || missing ? newest : (answer.data ?? held);
  if (shown !== held) setHeld(shown);
  // Name, status and place are the file's, whichever version is shown.
  const info = shown === newest ? newest : { ...shown, common: { ...shown.common, name: newest.common.name, status: newest.common.status } };
  return { info, version: numberOf(shown), newest: known, missing };
}
