import { t } from "../../../lib/messages/webhooks.ts";
import { findUrlIssue } from "../model/url-check.ts";
import type { EndpointDraft } from "./EndpointFields.tsx";
import { urlIssueLabel } from "./UrlField.tsx";
import { useUrlPolicy } from "./use-allowed.ts";

/** Finds, before sending, the issues that the contract leaves to the service. */
export function useDraftIssues(): (draft: EndpointDraft) => { path: string; message: string }[] {
  const policy = useUrlPolicy();
  return ({ url, event_types }) => {
    const issue = url.trim() === "" ? null : findUrlIssue(url.trim(), policy);
    return [
      ...(issue ? [{ path: "url", message: urlIssueLabel(issue) }] : []),
      ...(event_types.length === 0 ? [{ path: "event_types", message: t("typesNeeded") }] : []),
    ];
  };
}
