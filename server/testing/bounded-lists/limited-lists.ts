/** Lists that are answered whole, how each is filled to its limit, and the operation that creates one more. */
import { SCOPES, type Operation } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { operations } from "../../../contract/operations/all.ts";
import type { Tx } from "../../db/schema.ts";
import { newSecret } from "../../lib/crypto.ts";
import type { UntypedInput } from "../client.ts";
import type { Fixtures } from "../fixtures.ts";
import { range, insertPeople, insertProjects, groupRows } from "./fill.ts";

/** Lists that are answered whole, since there can be only so many records. */
export interface LimitCase {
  limit: number;
  /** Inserts records up to the limit, the longest ones. */
  fill(tx: Tx, fixtures: Fixtures): Promise<unknown>;
  list?: [Operation, UntypedInput | ((fixtures: Fixtures) => UntypedInput)];
  /** Would create one more: refused with this text. */
  create: [Operation, (fixtures: Fixtures) => UntypedInput];
  denial: RegExp;
}
const count = async (rows: Promise<readonly unknown[]>): Promise<number> => (await rows).length;
export const LIMITED: [string, LimitCase][] = [
  [
    "listInvites",
    {
      limit: LIMITS.open_invites,
      async fill(tx, { testApp, owner, home }) {
        const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", owner.id).executeTakeFirstOrThrow();
        const row = { organisation_id, team_id: home.team, role: "guest" as const, project_ids: JSON.stringify(range(200, (index) => 1_000_000 + index)) };
        const missing =
          LIMITS.open_invites -
          (await count(tx.selectFrom("invites").select("id").where("used_at", "is", null).where("organisation_id", "=", organisation_id).execute()));
        const times = { created_at: testApp.clock.now(), expires_at: testApp.clock.now() + 1_000_000 };
        await tx
          .insertInto("invites")
          .values(range(missing, () => ({ ...row, ...times, email: `${"x".repeat(250)}@x`, token_hash: newSecret(), created_by: owner.id })))
          .execute();
      },
      list: [operations.listInvites, {}],
      create: [operations.inviteMember, ({ home }) => ({ body: { team_id: home.team, role: "member" } })],
      denial: /^There can be at most 300 open invites\. Revoke one first/,
    },
  ],
  [
    "listPasswordResets",
    {
      limit: LIMITS.open_password_resets,
      async fill(tx, fixtures) {
        const ids = await insertPeople(tx, fixtures, LIMITS.open_password_resets);
        const times = { created_at: fixtures.testApp.clock.now(), expires_at: fixtures.testApp.clock.now() + 1_000_000 };
        for (let offset = 0; offset < ids.length; offset += 500)
          await tx
            .insertInto("password_resets")
            .values(ids.slice(offset, offset + 500).map((account_id) => ({ account_id, token_hash: newSecret(), created_by: fixtures.owner.id, ...times })))
            .execute();
      },
      list: [operations.listPasswordResets, {}],
      create: [operations.createPasswordReset, ({ guest }) => ({ params: { account_id: guest.id } })],
      denial: /^There can be at most 1,000 open reset links\. Revoke one first\.$/,
    },
  ],
  [
    "listTokens",
    {
      limit: LIMITS.api_tokens,
      async fill(tx, { testApp, owner }) {
        const missing = LIMITS.api_tokens - (await count(tx.selectFrom("api_tokens").select("id").where("account_id", "=", owner.id).execute()));
        const row = { account_id: owner.id, name: "\u{1F3B5}".repeat(40), scopes: JSON.stringify(SCOPES), created_at: testApp.clock.now() };
        await tx
          .insertInto("api_tokens")
          .values(range(missing, () => ({ ...row, public_id: newSecret().slice(0, 20), token_hash: newSecret() })))
          .execute();
      },
      list: [operations.listTokens, {}],
      create: [operations.createToken, () => ({ body: { name: "one more", scopes: ["chat:read"] } })],
      denial: /^You can have at most 500 API tokens\. Revoke one/,
    },
  ],
  [
    "listGrants",
    {
      limit: LIMITS.oauth_grants,
      async fill(tx, { testApp, owner }) {
        const hosts = range(LIMITS.oauth_redirect_uris, (index) => `https://${`${index}.${"x".repeat(50)}.`.repeat(4).slice(0, 250)}.de/`);
        const now = testApp.clock.now();
        const registration = { public_id: "longest", name: "\u{1F3B5}".repeat(80), redirect_uris: JSON.stringify(hosts), grant_types: "[]", created_at: now };
        const client = await tx.insertInto("oauth_clients").values(registration).returning("id").executeTakeFirstOrThrow();
        const row = { account_id: owner.id, name: registration.name, client_id: client.id, token_hash: "", scopes: JSON.stringify(SCOPES) };
        const grants = await tx
          .insertInto("api_tokens")
          .values(range(LIMITS.oauth_grants, () => ({ ...row, public_id: newSecret(), created_at: now, last_used_at: now, expires_at: now + 1_000_000 })))
          .returning("id")
          .execute();
        const token = { kind: "access" as const, scopes: "[]", created_at: now, expires_at: now + 1_000_000 };
        await tx
          .insertInto("oauth_tokens")
          .values(grants.map(({ id }) => ({ ...token, grant_id: id, token_hash: newSecret() })))
          .execute();
      },
      list: [operations.listGrants, {}],
      create: [
        operations.getConsent,
        () => ({
          query: {
            client_id: "longest",
            redirect_uri: `https://${`0.${"x".repeat(50)}.`.repeat(4).slice(0, 250)}.de/`,
            response_type: "code",
            code_challenge: "x".repeat(43),
            code_challenge_method: "S256",
          },
        }),
      ],
      denial: /^You can have at most 100 connected apps\. Disconnect one/,
    },
  ],
  [
    "projects of a team",
    {
      limit: LIMITS.projects_per_team,
      fill: (tx, fixtures) => insertProjects(tx, fixtures, null, LIMITS.projects_per_team),
      create: [operations.createProject, ({ home }) => ({ body: { team_id: home.team, name: "One more" } })],
      denial: /^A team can have at most 10,000 projects\./,
    },
  ],
  [
    "groups of a team",
    {
      limit: LIMITS.groups_per_team,
      fill: (tx, fixtures) =>
        tx
          .insertInto("project_groups")
          .values(groupRows(fixtures, LIMITS.groups_per_team).map((row, index) => ({ ...row, name_key: `more ${index}`, description: "" })))
          .execute(),
      create: [operations.createGroup, ({ home }) => ({ body: { team_id: home.team, name: "One more" } })],
      denial: /^A team can have at most 1,000 groups\./,
    },
  ],
  [
    "listReaders",
    {
      limit: LIMITS.people,
      async fill(tx, fixtures) {
        const ids = await insertPeople(tx, fixtures, LIMITS.people);
        for (let offset = 0; offset < ids.length; offset += 500) {
          const rows = ids.slice(offset, offset + 500).map((account_id) => ({ project_id: fixtures.home.project, account_id, added_at: 1 }));
          await tx.insertInto("project_members").values(rows).execute();
          const marker = { project_id: fixtures.home.project, last_read_message_id: fixtures.home.message, comments_since: 0, moved_at: 1_790_000_000_000 };
          await tx
            .insertInto("read_markers")
            .values(rows.map(({ account_id }) => ({ ...marker, account_id })))
            .execute();
        }
      },
      create: [operations.updateMember, ({ neighbor }) => ({ params: { account_id: neighbor.id }, body: { disabled: false } })],
      denial: /^An organization can have at most 10,000 people\./,
    },
  ],
];
