/** Tests confirmation emails, and that nothing else reaches an address before its reader has used the link. */
import { describe, expect, test } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as delivery from "../../../contract/operations/notification-delivery.ts";
import { DAY, MINUTE, SECOND } from "../../lib/clock.ts";
import { ANONYMOUS } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { joinTeam, type Person } from "../../testing/people.ts";
import { createSendingSteps, setupSendingTests } from "./sending.fixture.ts";

describe.each(ENGINES)("confirming an address on %s", { timeout: 60_000 }, (engine) => {
  const context = setupSendingTests(engine);
  const { advance, app } = createSendingSteps(context);
  let count = 0;
  /** Somebody whose confirmation email waits to be sent. */
  const join = (): Promise<Person> => {
    const { testApp, owner, home } = context.fixtures;
    count += 1;
    return joinTeam(testApp, owner, `newcomer ${count}`, { team: home.team, role: "member", projects: [home.project] });
  };
  const outcomesOf = async ({ id }: Person) => (await context.loadDeliveries(id)).filter(({ channel }) => channel === "mail").map(({ outcome }) => outcome);
  /** Waits until each email to the person has been attempted. */
  const settle = (person: Person) => context.waitUntil("every email was attempted", async () => (await outcomesOf(person)).every((one) => one !== null));
  const subjects = () => context.mails.received.map(({ headers }) => headers["subject"]);
  const tokenIn = (text: string, page: string): string => new RegExp(`http://talkback\\.test:3000/${page}#(\\S+)\n`).exec(text)?.[1] ?? "";
  const confirm = (text: string) => app().call(ANONYMOUS, delivery.confirmMailAddress, { body: { token: tokenIn(text, "confirm-email") } });
  const statusOf = async (person: Person) => (await app().call(person, delivery.getMailSettings)).response.data.address_status;
  const changeEmail = (person: Person, email: string) => app().call(person, accounts.updateAccount, { body: { email } });
  const countEvents = async ({ id }: Person): Promise<number> =>
    (
      await app()
        .database.read.selectFrom("events")
        .select("seq")
        .where("topic", "=", `account:${id}`)
        .where("type", "=", "notification_channels.changed")
        .execute()
    ).length;

  test("a mention is sent only after the address was confirmed by the link, which comes at once", async () => {
    context.start();
    const person = await join();
    await settle(person);
    expect(context.mails.received).toMatchObject([{ to: [person.email], headers: { to: person.email, subject: "Confirm your email address for Northwind" } }]);
    const { text, headers } = context.mails.received[0]!;
    // A stranger may read it, so it has nothing that the person wrote.
    expect(text).not.toContain(person.name);
    expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
    for (const words of ["First", "Second"]) await context.mention(words, { recipient: person });
    advance(DAY);
    await context.settle();
    expect(context.mails.received).toHaveLength(1);

    expect((await confirm(text)).response.data.confirmed).toBe(true);
    await context.mention("Third", { recipient: person });
    advance(MINUTE);
    await settle(person);
    // What waited for the confirmation comes in one email.
    expect(subjects()).toEqual(["Confirm your email address for Northwind", "3 notifications from Northwind"]);
  });

  test("what waits is not sent once the person has another address, which gets a confirmation email", async () => {
    const { reader } = context;
    await context.mention("To the old address");
    await changeEmail(reader, `moved.${reader.email}`);
    context.start();
    advance(MINUTE);
    await settle(reader);
    expect(context.mails.received.map(({ to }) => to)).toEqual([[`moved.${reader.email}`]]);
    expect(await outcomesOf(reader)).toEqual(["address not confirmed", "ok"]);
    // Another case of the letters is no other address.
    await changeEmail(reader, `Moved.${reader.email}`);
    expect(await outcomesOf(reader)).toHaveLength(2);
  });

  test("whoever has unsubscribed gets no confirmation email for a new address", async () => {
    const { reader } = context;
    await app().call(reader, delivery.updateMailSettings, { body: { enabled: false } });
    await changeEmail(reader, `moved.${reader.email}`);
    expect(await outcomesOf(reader)).toEqual([]);
  });

  test("a confirmation email that waits is not sent to a former address, to a confirmed one, or to one that wants none", async () => {
    const [moved, confirmed, unwilling] = [await join(), await join(), await join()];
    await changeEmail(moved, `moved.${moved.email}`);
    context.start();
    await settle(moved);
    await settle(confirmed);
    await settle(unwilling);
    expect(await outcomesOf(moved)).toEqual(["another address", "ok"]);
    await context.stop();
    const [first, second] = [confirmed, unwilling].map(({ email }) => context.mails.received.find(({ to }) => to.includes(email))?.text ?? "");
    await app().call(confirmed, delivery.sendMailConfirmation);
    await app().call(unwilling, delivery.sendMailConfirmation);
    await confirm(first!);
    // A notification waits beside the confirmation email, not in it.
    await context.mention("Now", { recipient: confirmed });
    await app().call(ANONYMOUS, delivery.unsubscribeByMailLink, { query: { token: tokenIn(second!, "unsubscribe") } });
    context.start();
    await settle(unwilling);
    expect(await outcomesOf(unwilling)).toEqual(["ok", "unsubscribed"]);
    expect(context.mails.received).toHaveLength(3);
    advance(MINUTE);
    await settle(confirmed);
    expect(await outcomesOf(confirmed)).toEqual(["ok", "confirmed before", "ok"]);
    expect(context.mails.received.at(-1)!.text).toContain("Now");
  });

  test("an email that the server defers is sent again with the same link, and says so when it cannot be delivered", async () => {
    context.mails.respondWith.status = 451;
    context.start();
    const deferred = await join();
    await settle(deferred);
    expect(await statusOf(deferred)).toBe("confirmation_sent");
    context.mails.respondWith.status = 250;
    advance(5 * SECOND);
    await context.mails.waitForMails(1);
    expect((await confirm(context.mails.received[0]!.text)).status).toBe(200);

    context.mails.respondWith.status = 550;
    const mistyped = await join();
    await context.waitUntil("the settings were notified", async () => (await countEvents(mistyped)) === 1);
    expect(await statusOf(mistyped)).toBe("undeliverable");
  });

  test("the link expires after three days, and another email can be sent", async () => {
    context.start();
    const person = await join();
    await settle(person);
    advance(3 * DAY);
    expect((await confirm(context.mails.received[0]!.text)).status).toBe(410);
    expect(await statusOf(person)).toBe("unconfirmed");
    await app().call(person, delivery.sendMailConfirmation);
    await settle(person);
    expect((await confirm(context.mails.received[1]!.text)).status).toBe(200);
  });

  test("an email that could not be sent in three days is not sent with a link that has expired, nor is what waited for the confirmation", async () => {
    const person = await join();
    await context.mention("In vain", { recipient: person });
    advance(3 * DAY);
    context.start();
    await settle(person);
    expect([await outcomesOf(person), context.mails.received]).toEqual([["expired", "address not confirmed"], []]);
    expect(await countEvents(person)).toBe(1);
    await context.mention("Without a link to confirm", { recipient: person });
    expect(await outcomesOf(person)).toHaveLength(2);
  });

  test("an account that was disabled meanwhile gets none", async () => {
    const person = await join();
    await app().call(context.fixtures.owner, accounts.updateMember, { params: { account_id: person.id }, body: { disabled: true } });
    context.start();
    await settle(person);
    expect([await outcomesOf(person), context.mails.received]).toEqual([["disabled"], []]);
  });
});
