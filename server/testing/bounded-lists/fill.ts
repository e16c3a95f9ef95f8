/** Inserts many of the longest records. */
import type { Tx } from "../../db/schema.ts";
import { newSecret } from "../../lib/crypto.ts";
import type { Fixtures } from "../fixtures.ts";

export const range = <T>(count: number, build: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => build(index));
/** Inserts people with the longest profiles, and returns their ids. */
export async function insertPeople(tx: Tx, { testApp, member }: Fixtures, count: number): Promise<number[]> {
  const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", member.id).executeTakeFirstOrThrow();
  const ids: number[] = [];
  for (let offset = 0; offset < count; offset += 500) {
    const rows = range(Math.min(500, count - offset), () => `${newSecret()}${"x".repeat(15)}`).map((name) => ({
      organisation_id,
      role: "member" as const,
      username: name,
      username_key: name,
      user_info: "\u{1F3B5}".repeat(250),
      email: `${name}@${"x".repeat(180)}.test`,
      email_key: name,
      created_at: testApp.clock.now(),
    }));
    ids.push(...(await tx.insertInto("accounts").values(rows).returning("id").execute()).map(({ id }) => id));
  }
  return ids;
}
export async function insertProjects(tx: Tx, { testApp, home, owner, member }: Fixtures, group_id: number | null, total: number): Promise<void> {
  const description = "\u{1F3B5}".repeat(1_000);
  const row = { team_id: home.team, group_id, description, created_by: owner.id, created_at: testApp.clock.now() };
  for (let offset = 0; offset < total; offset += 500) {
    const rows = range(Math.min(500, total - offset), (index) => ({ ...row, name: `p ${(offset + index) % 7}` }));
    const projects = await tx.insertInto("projects").values(rows).returning("id").execute();
    await tx
      .insertInto("project_members")
      .values(projects.map(({ id }) => ({ project_id: id, account_id: member.id, added_at: 1 })))
      .execute();
  }
}
export const groupRows = ({ testApp, home, member }: Fixtures, count: number) =>
  range(count, (index) => ({
    team_id: home.team,
    name: `g ${index % 7}`,
    name_key: `filler ${index}`,
    description: "\u{1F3B5}".repeat(1_000),
    created_at: testApp.clock.now(),
    created_by: member.id,
  }));
