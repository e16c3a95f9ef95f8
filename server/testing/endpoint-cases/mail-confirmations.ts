import { expect } from "vitest";
import { LIMITS } from "../../../contract/limits.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as delivery from "../../../contract/operations/notification-delivery.ts";
import { HOUR } from "../../lib/clock.ts";
import { findMailable } from "../../modules/notification-delivery/mail-addresses.ts";
import { ANONYMOUS } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { blockTokenOf, confirmAddress, confirmationTokenOf, deleteConfirmationEmails, mailTokenOf } from "../notification-delivery.ts";
import { createSession, joinTeam, type Person } from "../people.ts";
import { BAD_SECRET, type EndpointCase } from "./case.ts";
import { extraMember } from "./helpers.ts";

let personCount = 0;
/** Somebody who has just joined, and so has got one confirmation email. */
const join = async ({ testApp, owner, home }: Fixtures): Promise<Person> => {
  const person = await joinTeam(testApp, owner, `unconfirmed ${++personCount}`, { team: home.team, role: "member" });
  return { ...person, ...(await createSession(testApp, person.id, person.name)), id: person.id };
};
const send = ({ testApp }: Fixtures, person: Person) => testApp.call(person, delivery.sendMailConfirmation);
const changeEmail = ({ testApp }: Fixtures, person: Person, email: string) => testApp.call(person, accounts.updateAccount, { body: { email } });
const followLink = async ({ testApp }: Fixtures, { id }: Person, enabled: boolean) =>
  testApp.call(ANONYMOUS, delivery.applyMailLink, { body: { token: await mailTokenOf(testApp, id), enabled } });
const settingsOf = async ({ testApp }: Fixtures, person: Person) => (await testApp.call(person, delivery.getMailSettings)).response.data;

export const sendMailConfirmation: EndpointCase = {
  caller: ({ guest }) => guest,
  valid: async ({ testApp, guest }) => {
    await deleteConfirmationEmails(testApp, guest);
    return {};
  },
  assertResponse: async ({ data, fixtures: { testApp, guest } }) => {
    expect(data).toEqual({ email: guest.email, enabled: true, address_status: "confirmation_sent" });
    const queued = await testApp.database.read.selectFrom("notification_deliveries").selectAll().where("account_id", "=", guest.id).execute();
    expect(queued.filter(({ confirms_email_key }) => confirms_email_key === guest.email)).toMatchObject([
      { channel: "mail", state: "pending", next_attempt_at: testApp.clock.now() },
    ]);
  },
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "an account gets three a day, also for several addresses": async (fixtures) => {
      const person = await join(fixtures);
      await changeEmail(fixtures, person, `first.${person.email}`);
      expect((await send(fixtures, person)).status).toBe(200);
      const refused = await send(fixtures, person);
      expect([refused.status, refused.headers["retry-after"]]).toEqual([429, String(24 * 3_600)]);
      expect(refused.problem.detail).toBe("At most 3 confirmation emails a day are sent to an account and an address. Try again in 24 hours.");
      // A new address is saved, and its email can be sent tomorrow.
      expect((await changeEmail(fixtures, person, `second.${person.email}`)).status).toBe(200);
      expect(await settingsOf(fixtures, person)).toMatchObject({ email: `second.${person.email}`, address_status: "unconfirmed" });
    },
    "an address gets three a day, also for several accounts of the organization": async (fixtures) => {
      const { testApp, foreignOwner } = fixtures;
      const [first, second] = [await join(fixtures), await join(fixtures)];
      for (let count = 1; count < LIMITS.confirmation_emails_per_day; count += 1) expect((await send(fixtures, first)).status).toBe(200);
      await changeEmail(fixtures, first, `moved.${first.email}`);
      await changeEmail(fixtures, second, first.email);
      await deleteConfirmationEmails(testApp, second);
      expect((await send(fixtures, second)).status).toBe(429);
      // Another organization cannot use them up.
      await deleteConfirmationEmails(testApp, foreignOwner);
      await changeEmail(fixtures, foreignOwner, first.email);
      await deleteConfirmationEmails(testApp, foreignOwner);
      expect((await send(fixtures, foreignOwner)).status).toBe(200);
      await changeEmail(fixtures, foreignOwner, foreignOwner.email);
      await deleteConfirmationEmails(testApp, foreignOwner);
    },
    "an organization sends a limited number a day": async (fixtures) => {
      const { testApp } = fixtures;
      const [person, other] = [await join(fixtures), await join(fixtures)];
      const row = {
        channel: "mail" as const,
        subscription_id: null,
        is_test: 0 as const,
        is_digest: 0 as const,
        state: "sent" as const,
        next_attempt_at: null,
      };
      const rows = Array.from({ length: LIMITS.confirmation_emails_of_organisation_per_day }, (_, index) => ({
        ...row,
        account_id: other.id,
        confirms_email_key: `${index}@else.test`,
        lease_until: null,
        lease_token: null,
        created_at: testApp.clock.now(),
      }));
      await testApp.database.write((tx) => tx.insertInto("notification_deliveries").values(rows).execute());
      const refused = await send(fixtures, person);
      expect(refused.status).toBe(429);
      expect(refused.problem.detail).toBe("An organization sends at most 300 confirmation emails a day. Try again in 24 hours.");
      await deleteConfirmationEmails(testApp, other);
      expect((await send(fixtures, person)).status).toBe(200);
    },
    "nothing is sent to a confirmed address": async (fixtures) => {
      const person = await join(fixtures);
      await confirmAddress(fixtures.testApp, person);
      expect(await settingsOf(fixtures, person)).toMatchObject({ enabled: true, address_status: "confirmed" });
      expect((await send(fixtures, person)).status).toBe(409);
    },
    "a blocked address gets no more, for no account, and its link works wherever the account has moved": async (fixtures) => {
      const { testApp } = fixtures;
      const [person, other] = [await join(fixtures), await join(fixtures)];
      const address = person.email;
      const token = await blockTokenOf(testApp, person.id);
      await changeEmail(fixtures, person, `moved.${address}`);
      expect((await testApp.call(ANONYMOUS, delivery.unsubscribeByMailLink, { query: { token } })).status).toBe(204);
      await changeEmail(fixtures, other, address);
      expect(await settingsOf(fixtures, other)).toMatchObject({ address_status: "blocked" });
      expect((await send(fixtures, other)).status).toBe(409);
      // The same link takes it back.
      const reply = await testApp.call(ANONYMOUS, delivery.applyMailLink, { body: { token, enabled: true } });
      expect(reply.response.data).toEqual({ organisation: null, email: null, enabled: true });
      expect((await send(fixtures, other)).status).toBe(200);
    },
    "a confirmed address that was unsubscribed can be blocked too, and only by the link of a confirmation email": async (fixtures) => {
      const { testApp } = fixtures;
      const [person, other] = [await join(fixtures), await join(fixtures)];
      await confirmAddress(testApp, person);
      const token = await blockTokenOf(testApp, person.id);
      await followLink(fixtures, person, false);
      expect((await send(fixtures, person)).status).toBe(200);
      // Unsubscribing one account blocks nobody, also once it has confirmed another address.
      const address = person.email;
      await changeEmail(fixtures, person, `moved.${address}`);
      await confirmAddress(testApp, person);
      await changeEmail(fixtures, other, address);
      expect((await settingsOf(fixtures, other)).address_status).toBe("confirmation_sent");
      await changeEmail(fixtures, other, `moved.${other.email}`);
      await changeEmail(fixtures, person, address);
      await testApp.call(ANONYMOUS, delivery.applyMailLink, { body: { token, enabled: false } });
      expect((await send(fixtures, person)).status).toBe(409);
      expect((await testApp.call(ANONYMOUS, delivery.previewMailLink, { body: { token } })).response.data.enabled).toBe(false);
      // A confirmation email that arrived before still confirms.
      await confirmAddress(testApp, person);
      expect((await testApp.call(ANONYMOUS, delivery.previewMailLink, { body: { token } })).response.data.enabled).toBe(true);
    },
    "blocking stops the notifications of its account as well": async (fixtures) => {
      const { testApp } = fixtures;
      const person = await join(fixtures);
      await confirmAddress(testApp, person);
      const token = await blockTokenOf(testApp, person.id);
      for (const enabled of [false, true]) {
        await testApp.call(ANONYMOUS, delivery.applyMailLink, { body: { token, enabled } });
        expect((await findMailable(testApp.database.read, [person.id], testApp.clock.now())).has(person.id)).toBe(enabled);
      }
    },
    "an address that was unsubscribed by a link is subscribed again only by a link": async (fixtures) => {
      const { testApp } = fixtures;
      const person = await join(fixtures);
      await confirmAddress(testApp, person);
      await followLink(fixtures, person, false);
      testApp.clock.advance(1);
      for (const enabled of [false, true]) await testApp.call(person, delivery.updateMailSettings, { body: { enabled } });
      expect(await settingsOf(fixtures, person)).toMatchObject({ enabled: true, address_status: "unsubscribed_by_link" });
      expect(await findMailable(testApp.database.read, [person.id], testApp.clock.now())).toEqual(new Map());
      expect((await send(fixtures, person)).response.data.address_status).toBe("confirmation_sent");
      await confirmAddress(testApp, person);
      expect(await findMailable(testApp.database.read, [person.id], testApp.clock.now())).toEqual(new Map([[person.id, null]]));
    },
  },
};

const withToken = async (fixtures: Fixtures) => ({ body: { token: await confirmationTokenOf(fixtures.testApp, (await extraMember(fixtures)).id) } });
const badTokens: EndpointCase["rejectedRequests"] = [
  [
    "a wrong signature",
    async (fixtures) => {
      const { token } = (await withToken(fixtures)).body;
      return { body: { token: `${token.slice(0, -2)}${token.endsWith("AA") ? "BB" : "AA"}` } };
    },
    404,
  ],
  ["another account", async (fixtures) => ({ body: { token: (await withToken(fixtures)).body.token.replace(/^\d+/, String(fixtures.owner.id)) } }), 404],
  [
    "a later end",
    async (fixtures) => ({ body: { token: (await withToken(fixtures)).body.token.replace(/\.(\d+)\./, (_match, time: string) => `.${Number(time) + 1}.`) } }),
    404,
  ],
  ["the link that blocks", async ({ testApp, guest }) => ({ body: { token: await blockTokenOf(testApp, guest.id) } }), 404],
  ["the link that unsubscribes", async ({ testApp, guest }) => ({ body: { token: await mailTokenOf(testApp, guest.id) } }), 404],
  ["an expired link", async ({ testApp, guest }) => ({ body: { token: await confirmationTokenOf(testApp, guest.id, testApp.clock.now() - HOUR) } }), 410],
  [
    "an earlier address",
    async (fixtures) => {
      const person = await join(fixtures);
      const token = await confirmationTokenOf(fixtures.testApp, person.id);
      await changeEmail(fixtures, person, `moved.${person.email}`);
      return { body: { token } };
    },
    409,
  ],
];

export const previewMailConfirmation: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: withToken,
  assertResponse: async ({ data, fixtures }) =>
    expect(data).toEqual({
      organisation: "Northwind",
      username: expect.stringMatching(/^extra$/i),
      email: (await extraMember(fixtures)).email,
      confirmed: expect.any(Boolean),
    }),
  invalid: { "body.token": BAD_SECRET },
  rejectedRequests: badTokens,
  edgeCases: {
    // Mail programs and scanners open links; only a person decides.
    "does not confirm": async (fixtures) => {
      const { testApp } = fixtures;
      const person = await join(fixtures);
      const token = await confirmationTokenOf(testApp, person.id);
      for (let count = 0; count < 2; count += 1)
        expect((await testApp.call(ANONYMOUS, delivery.previewMailConfirmation, { body: { token } })).response.data.confirmed).toBe(false);
    },
  },
};

export const confirmMailAddress: EndpointCase = {
  caller: () => ANONYMOUS,
  valid: withToken,
  assertResponse: async ({ data, fixtures }) => {
    const person = await extraMember(fixtures);
    expect(data).toEqual({ organisation: "Northwind", username: expect.stringMatching(/^extra$/i), email: person.email, confirmed: true });
    expect(await settingsOf(fixtures, person)).toEqual({ email: person.email, enabled: true, address_status: "confirmed" });
  },
  invalid: { "body.token": BAD_SECRET },
  rejectedRequests: badTokens,
  edgeCases: {
    "an address that was confirmed before says so after the link has expired too": async (fixtures) => {
      const { testApp } = fixtures;
      const person = await join(fixtures);
      await confirmAddress(testApp, person);
      const token = await confirmationTokenOf(testApp, person.id, testApp.clock.now() - HOUR);
      expect((await testApp.call(ANONYMOUS, delivery.confirmMailAddress, { body: { token } })).response.data.confirmed).toBe(true);
    },
    "a confirmation ends with the address, and counts again when the address comes back": async (fixtures) => {
      const { testApp } = fixtures;
      const person = await join(fixtures);
      await confirmAddress(testApp, person);
      await changeEmail(fixtures, person, `moved.${person.email}`);
      expect((await settingsOf(fixtures, person)).address_status).toBe("confirmation_sent");
      await changeEmail(fixtures, person, person.email);
      expect((await settingsOf(fixtures, person)).address_status).toBe("confirmed");
    },
    "subscribes again": async (fixtures) => {
      const { testApp } = fixtures;
      const person = await join(fixtures);
      await testApp.call(person, delivery.updateMailSettings, { body: { enabled: false } });
      await confirmAddress(testApp, person);
      expect(await settingsOf(fixtures, person)).toMatchObject({ enabled: true, address_status: "confirmed" });
    },
  },
};
