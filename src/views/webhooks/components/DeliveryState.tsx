import type { Delivery } from "../../../../contract/webhook-records.ts";
import { useNow } from "../../../ui/use-now.ts";
import { getDeliveryStatus, type DeliveryStatus } from "../model/delivery-state.ts";
import { deliveryStatusLabel } from "../model/words.ts";
import { StateDot, type Tone } from "./StateDot.tsx";

function statusTone(deliveryStatus: DeliveryStatus): Tone {
  if (deliveryStatus.kind === "delivered") return "ok";
  if (deliveryStatus.kind === "failed") return "danger";
  if (deliveryStatus.kind === "waiting") return deliveryStatus.isRetry ? "danger" : "busy";
  return deliveryStatus.kind === "held" ? "quiet" : "busy";
}

/** Shows a delivery's state with a countdown to the next attempt. */
export function DeliveryState({ delivery }: { delivery: Delivery }) {
  const now = useNow(delivery.next_attempt_at !== null);
  const deliveryStatus = getDeliveryStatus(delivery, now);
  return <StateDot tone={statusTone(deliveryStatus)}>{deliveryStatusLabel(deliveryStatus)}</StateDot>;
}
