/** Sends what is due: push messages, and emails if there is an SMTP server. */
import { startDeliveryLoop, type DeliveryEngine, type DeliveryLoopOptions } from "../../delivery/delivery-loop.ts";
import { createMailSender, type MailSender } from "../../delivery/send-mail.ts";
import { createPushSender, type PushSender } from "../../delivery/send-push.ts";
import { type AttemptReport, attempts } from "../../lib/instrumentation.ts";
import { claim, hasDue, releaseAllLeases, resetDueTimes, type Channel, type ClaimedDelivery } from "./claim.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import { createMailAttempt } from "./mail-attempt.ts";
import { createPushAttempt, type Attempt } from "./push-attempt.ts";
import { recordAttempts, type FinishedAttempt } from "./record.ts";

/** Attempts in flight in this process. An SMTP server accepts few connections of one sender. */
const MAX_IN_FLIGHT: Record<Channel, number> = { push: 64, mail: 4 };
/** Push services ask for a way to reach the operator; a service without https and without a mail address has none that they would accept. */
const NO_CONTACT = "mailto:nobody@talkback.invalid";

export interface SendingOptions {
  deps: NotificationDeliveryDeps;
  warn(error: unknown, message: string): void;
  /** Replaced in tests. */
  senders?: { push?: PushSender; mail?: MailSender };
  random?: () => number;
  pollIntervalMs?: number;
}

function startChannel(
  channel: Channel,
  { deps: { database, clock, events }, warn, random = Math.random, pollIntervalMs }: SendingOptions,
  attempt: Attempt,
  close: () => Promise<void>,
): DeliveryEngine {
  const { engine } = database;
  const options: DeliveryLoopOptions = { database, clock, warn, pollIntervalMs };
  return startDeliveryLoop<ClaimedDelivery, FinishedAttempt>(
    channel === "push" ? "push message" : "email",
    {
      idOf: ({ id }) => id,
      hasCapacity: (inFlight) => inFlight.length < MAX_IN_FLIGHT[channel],
      hasDue: (db, now) => hasDue(db, engine, channel, now),
      claim: (tx, now, inFlight) => claim(tx, engine, channel, now, { count: MAX_IN_FLIGHT[channel] - inFlight.length, ownIds: inFlight.map(({ id }) => id) }),
      async attempt(delivery, signal) {
        const report: AttemptReport = { channel, deliveryId: delivery.id, attempt: delivery.attempts, startedAt: performance.now() };
        const send = async () => {
          const outcome = await attempt(delivery, signal);
          report.outcome = outcome.kind;
          return outcome;
        };
        return { delivery, outcome: await attempts.tracePromise(send, report) };
      },
      record: (tx, batch, now) => recordAttempts(tx, batch, { engine, events, now, random }),
      resetDueTimes: (tx, now) => resetDueTimes(tx, channel, now),
      close,
    },
    options,
  );
}

/** How push services reach the operator. */
const contactOf = ({ publicUrl, mail }: NotificationDeliveryDeps): string =>
  publicUrl.startsWith("https:") ? publicUrl : mail ? `mailto:${mail.replyTo.address}` : NO_CONTACT;

/** Releases what a killed process was sending. Call it only while no other process uses the database. */
export const releaseAbandonedNotifications = ({ database }: Pick<NotificationDeliveryDeps, "database">): Promise<void> => database.write(releaseAllLeases);

/** Returns a function that stops it. */
export function startSendingNotifications(options: SendingOptions): () => Promise<void> {
  const { deps, warn, senders } = options;
  const { clock, guard, mail, pushKeys } = deps;
  const push = senders?.push ?? createPushSender(guard, pushKeys, contactOf(deps), { clock });
  const engines = [startChannel("push", options, createPushAttempt(deps, push), push.close)];
  if (mail) {
    const mailer = senders?.mail ?? createMailSender({ url: mail.smtpUrl, from: mail.from, replyTo: mail.replyTo });
    engines.push(startChannel("mail", options, createMailAttempt(deps, mailer, warn), mailer.close));
  }
  return async () => {
    await Promise.all(engines.map((engine) => engine.stop()));
  };
}
