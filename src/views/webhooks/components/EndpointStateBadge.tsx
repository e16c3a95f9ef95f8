import type { WebhookEndpoint } from "../../../../contract/webhook-records.ts";
import { useMembers } from "../../../queries/members/use-members.ts";
import type { EndpointState } from "../model/endpoint-state.ts";
import { endpointStateLabel } from "../model/words.ts";
import { StateDot, type Tone } from "./StateDot.tsx";

const TONES: Record<EndpointState, Tone> = { active: "ok", failing: "danger", paused: "quiet", gone: "danger", "given-up": "danger" };

export function EndpointStateBadge({ endpoint, state }: { endpoint: WebhookEndpoint; state: EndpointState }) {
  const disabledBy = useMembers().data?.find(({ id }) => id === endpoint.disabled_by_account_id)?.username;
  return <StateDot tone={TONES[state]}>{endpointStateLabel(endpoint, state, disabledBy)}</StateDot>;
}
