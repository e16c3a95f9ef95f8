import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { isInaccessible } from "../problems.ts";
import { versionQueries } from "./version-options.ts";

interface ShownVersion {
  /** As the version that is shown has them; of the one before while it loads. */
  info: FileInfoResponse;
  /** Null where the service tells no versions. */
  version: number | null;
  newest: number | null;
  /** The wished one is not there, or the service tells none but the newest. */
  missing: boolean;
}

const versionNumber = ({ common }: FileInfoResponse): number | null => (typeof common["version"] === "number" ? common["version"] : null);

/**
 * Whether another version than the wished one is what the service has: it says so, or answers with the newest since it tells no others.
 * What merely fails says nothing about it: what is shown stays.
 */
export function isVersionMissing(version: number | null, { data, error }: { data: FileInfoResponse | undefined; error: Error | null }): boolean {
  return data === undefined ? error !== null && isInaccessible(error) : versionNumber(data) !== version;
}

/**
 * The version that is looked at: the wished one, else the newest at the time the page was opened.
 * One that comes later is offered, and takes nobody's sound away.
 */
export function useShownVersion(newest: FileInfoResponse, requestedVersion: number | null): ShownVersion {
  const newestVersion = versionNumber(newest);
  const [initialVersion, setInitialVersion] = useState(newestVersion);
  const [lastRequestedVersion, setLastRequestedVersion] = useState(requestedVersion);
  if (requestedVersion !== lastRequestedVersion) {
    // Back to no wish is a choice too: of the newest.
    setLastRequestedVersion(requestedVersion);
    setInitialVersion(requestedVersion ?? newestVersion);
  }
  const version = requestedVersion ?? initialVersion;
  const isNewest = newestVersion === null || version === null || version === newestVersion;
  const result = useQuery(versionQueries.info(newest.common.id, isNewest ? null : version));
  const missing = !isNewest && isVersionMissing(version, result);
  // Until the other version is loaded the one before stays in sight.
  const [previousInfo, setPreviousInfo] = useState(newest);
  const currentInfo = isNewest || missing ? newest : (result.data ?? previousInfo);
  if (currentInfo !== previousInfo) setPreviousInfo(currentInfo);
  // Name, status and place are the file's, whichever version is shown.
  const info = currentInfo === newest ? newest : { ...currentInfo, common: { ...currentInfo.common, name: newest.common.name, status: newest.common.status } };
  return { info, version: versionNumber(currentInfo), newest: newestVersion, missing };
}
