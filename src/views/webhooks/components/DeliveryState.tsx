import type { Delivery } from "../../../../contract/webhook-records.ts";
import { useNow } from "../../../ui/use-now.ts";
import { standingOf, type DeliveryStanding } from "../model/delivery-state.ts";
import { standingWords } from "../model/words.ts";
import { StateDot, type Tone } from "./StateDot.tsx";

function toneOf(standing: DeliveryStanding): Tone {
  if (standing.is === "delivered") return "ok";
  if (standing.is === "failed") return "danger";
  if (standing.is === "waiting") return standing.again ? "danger" : "busy";
  return standing.is === "held" ? "quiet" : "busy";
}

/** How it stands, with a countdown to the next try. */
export function DeliveryState({ delivery }: { delivery: Delivery }) {
  const now = useNow(delivery.next_attempt_at !== null);
  const standing = standingOf(delivery, now);
  return <StateDot tone={toneOf(standing)}>{standingWords(standing)}</StateDot>;
}
