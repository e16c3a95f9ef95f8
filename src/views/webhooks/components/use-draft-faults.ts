import { t } from "../../../lib/messages/webhooks.ts";
import { faultOfUrl } from "../model/url-check.ts";
import type { EndpointDraft } from "./EndpointFields.tsx";
import { urlFaultWords } from "./UrlField.tsx";
import { useAllowed } from "./use-allowed.ts";

/** What the contract leaves to the service, found before sending. */
export function useDraftFaults(): (draft: EndpointDraft) => { path: string; message: string }[] {
  const allowed = useAllowed();
  return ({ url, event_types }) => {
    const fault = url.trim() === "" ? null : faultOfUrl(url.trim(), allowed);
    return [
      ...(fault ? [{ path: "url", message: urlFaultWords(fault) }] : []),
      ...(event_types.length === 0 ? [{ path: "event_types", message: t("typesNeeded") }] : []),
    ];
  };
}
