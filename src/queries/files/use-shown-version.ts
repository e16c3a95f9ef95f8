import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { isInaccessible } from "../problems.ts";
import { versionQueries } from "./version-options.ts";

interface ShownVersion {
  /** Info of the shown version, or of the previous one while that loads. */
  info: FileInfoResponse;
  /** Null when the service reports no versions. */
  version: number | null;
  newest: number | null;
  /** The requested version does not exist, or the service offers only the newest. */
  missing: boolean;
}

const versionNumber = ({ common }: FileInfoResponse): number | null => (typeof common["version"] === "number" ? common["version"] : null);

/**
 * Returns whether the service lacks the requested version: it reports so, or it returns the newest because it offers no others. Any other
 * failure proves nothing, so the shown version stays.
 */
export function isVersionMissing(version: number | null, { data, error }: { data: FileInfoResponse | undefined; error: Error | null }): boolean {
  return data === undefined ? error !== null && isInaccessible(error) : versionNumber(data) !== version;
}

/**
 * Returns the requested version, or else the one that was newest when the page was opened. A newer version is only offered, so that it never
 * replaces the audio in use.
 */
export function useShownVersion(newest: FileInfoResponse, requestedVersion: number | null): ShownVersion {
  const newestVersion = versionNumber(newest);
  const [initialVersion, setInitialVersion] = useState(newestVersion);
  const [lastRequestedVersion, setLastRequestedVersion] = useState(requestedVersion);
  if (requestedVersion !== lastRequestedVersion) {
    // Clearing the request selects the newest version.
    setLastRequestedVersion(requestedVersion);
    setInitialVersion(requestedVersion ?? newestVersion);
  }
  const version = requestedVersion ?? initialVersion;
  const isNewest = newestVersion === null || version === null || version === newestVersion;
  const result = useQuery(versionQueries.info(newest.common.id, isNewest ? null : version));
  const missing = !isNewest && isVersionMissing(version, result);
  // The previous version stays visible until the other one is loaded.
  const [previousInfo, setPreviousInfo] = useState(newest);
  const currentInfo = isNewest || missing ? newest : (result.data ?? previousInfo);
  if (currentInfo !== previousInfo) setPreviousInfo(currentInfo);
  // Name and status belong to the file, whichever version is shown.
  const info = currentInfo === newest ? newest : { ...currentInfo, common: { ...currentInfo.common, name: newest.common.name, status: newest.common.status } };
  return { info, version: versionNumber(currentInfo), newest: newestVersion, missing };
}
