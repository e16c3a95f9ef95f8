/** Sends webhooks: the deliveries of endpoints as the source of a delivery loop, which shares its capacity among them. */
import type { Tx } from "../db/schema.ts";
import { claim, createRoundRobin, hasDueDeliveries, type ClaimedDelivery } from "./claim.ts";
import { type AttemptReport, attempts } from "../lib/instrumentation.ts";
import { startDeliveryLoop, type DeliveryEngine, type DeliveryLoopOptions } from "./delivery-loop.ts";
import { resetDueTimes } from "./leases.ts";
import { recordResults, type DeliveryPublisher, type FinishedAttempt } from "./record-results.ts";
import { eventBody } from "./request.ts";
import type { Sender } from "./send.ts";

/** Maximum attempts in flight in this process. */
const MAX_IN_FLIGHT = 256;
/** The share of `MAX_IN_FLIGHT` for failing endpoints, so that healthy endpoints find capacity however many failing ones hang. */
const MAX_FAILING_IN_FLIGHT = 128;
/** Additional attempts in flight for manual deliveries, whose result a person waits for. */
const MAX_MANUAL_IN_FLIGHT = 16;

export type SelectSendable = (tx: Tx, claimed: readonly ClaimedDelivery[]) => Promise<ClaimedDelivery[]>;

export interface DeliveryEngineOptions extends DeliveryLoopOptions {
  sender: Sender;
  publisher: DeliveryPublisher;
  /** Returns an endpoint's secrets in plaintext, the current one first, or an empty list if they cannot be decrypted. */
  decryptSecrets(endpoint: ClaimedDelivery["endpoint"], now: number): string[];
  /** Returns the claimed deliveries that may be sent now; ends the others, or lets them wait. */
  selectSendable?: SelectSendable | undefined;
  random?: () => number;
}

export function startDeliveryEngine(options: DeliveryEngineOptions): DeliveryEngine {
  const { database, clock, sender, publisher, decryptSecrets, selectSendable = async (_tx, claimed) => [...claimed], random = Math.random } = options;
  const { engine } = database;
  const roundRobin = createRoundRobin();
  /** Deliveries that were claimed together share the object of their endpoint. */
  const secretsOf = new WeakMap<ClaimedDelivery["endpoint"], string[]>();
  function loadSecrets(endpoint: ClaimedDelivery["endpoint"]): string[] {
    const secrets = secretsOf.get(endpoint) ?? decryptSecrets(endpoint, clock.now());
    secretsOf.set(endpoint, secrets);
    return secrets;
  }
  const manualSlots = (inFlight: readonly ClaimedDelivery[]) => MAX_IN_FLIGHT + MAX_MANUAL_IN_FLIGHT - inFlight.length;
  return startDeliveryLoop<ClaimedDelivery, FinishedAttempt>(
    "delivery",
    {
      idOf: ({ delivery }) => delivery.id,
      hasCapacity: (inFlight) => manualSlots(inFlight) > 0,
      hasDue: (db, now) => hasDueDeliveries(db, engine, now),
      async claim(tx, now, inFlight) {
        const failingCount = inFlight.filter(({ endpoint }) => endpoint.failing_since !== null).length;
        const capacity = {
          anySlots: MAX_IN_FLIGHT - inFlight.length,
          failingSlots: MAX_FAILING_IN_FLIGHT - failingCount,
          manualSlots: manualSlots(inFlight),
        };
        const ownIds = inFlight.map(({ delivery }) => delivery.id);
        return selectSendable(tx, await claim(tx, engine, now, capacity, roundRobin, ownIds));
      },
      async attempt({ delivery, endpoint, event }, signal) {
        const request = { url: endpoint.url, id: event.id, body: eventBody(event), secrets: loadSecrets(endpoint) };
        const [deliveryId, endpointId, eventId] = [delivery.id, endpoint.id, event.id];
        const report: AttemptReport = { channel: "webhook", deliveryId, endpointId, eventId, attempt: delivery.attempts, startedAt: performance.now() };
        const send = async () => {
          const result = await sender.send(request, signal);
          Object.assign(report, { outcome: result.outcome, status: result.status });
          return result;
        };
        return { delivery, url: endpoint.url, result: await attempts.tracePromise(send, report) };
      },
      record: (tx, batch, now) => recordResults(tx, batch, { engine, now, publisher, random }),
      resetDueTimes,
      close: () => sender.close(),
    },
    options,
  );
}
