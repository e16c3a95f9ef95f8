/** Sets the demo's delivery rules, which some of its mixes fulfill and others do not. */
import { getDeliveryRules, setDeliveryRules } from "../../../contract/operations/delivery-rules.ts";
import type { ApiCall } from "./api.ts";

/** What the label asks for. */
const LABEL_RULES = {
  loudness: { target: -14, tolerance: 1 },
  true_peak_max: -0.5,
  sample_rates: [44_100, 48_000],
  bit_depths: [16, 24],
  channels: [2],
  formats: ["wav" as const, "flac" as const],
  name_pattern: null,
};

/** Leaves rules alone that the team has set itself, or that an earlier attempt has. */
export async function createDeliveryRules(owner: ApiCall, teamId: number): Promise<void> {
  const params = { team_id: teamId };
  if ((await owner(getDeliveryRules, { params })).data.updated_at === null) await owner(setDeliveryRules, { params, body: LABEL_RULES });
}
