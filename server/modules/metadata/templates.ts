/** Templates of a team: listing, creating, changing, deleting and restoring. Each change is audited and published in the same transaction. */
import type { MetadataTemplate } from "../../../contract/metadata-records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { nameKey } from "../../../contract/text.ts";
import { loadAuthorizedTeam, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, notFound } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { insertFields, type NewField } from "./new-fields.ts";
import { parseKinds, type TemplateView } from "./presenter.ts";
import { assertWithinLimits, loadTemplateView, loadTemplateViews, lockTemplate, lockTemplates } from "./repository.ts";
import { RESTORABLE_MS } from "./retention.ts";
import { countValues } from "./usage.ts";

export interface TemplateInput {
  name: string;
  kinds: MetadataTemplate["kinds"];
  fields: readonly NewField[];
}
/** Undefined members stay unchanged. */
export interface TemplateChanges {
  name: string | undefined;
  kinds: MetadataTemplate["kinds"] | undefined;
  position: number | undefined;
}
export interface Deletion {
  id: number;
  valueCount: number;
  restorableUntil: string;
}

const toKinds = (kinds: MetadataTemplate["kinds"]): string | null => kinds && JSON.stringify([...new Set(kinds)]);

/** Moves an entry to its new place, and returns the ids in order. */
export function moveTo(ids: readonly number[], id: number, position: number): number[] {
  const others = ids.filter((other) => other !== id);
  return others.toSpliced(Math.min(position, others.length), 0, id);
}

export const publishTemplates = (tx: Tx, { events }: Pick<ModuleDeps, "events">, actor: Actor, teamId: number): Promise<unknown> =>
  events.append(tx, topicOf.organisation(actor.organisationId), "metadata_templates.changed", { team_id: teamId });

export function createMetadataTemplates(deps: ModuleDeps) {
  const { database, clock } = deps;

  const findPresent = (db: Db, teamId: number) =>
    db.selectFrom("metadata_templates").selectAll().where("team_id", "=", teamId).where("deleted_at", "is", null).orderBy("position").orderBy("id").execute();

  /** Throws a 409 if the name is taken, or with `adds` if the team has as many templates as it can have. Returns the team's templates. */
  async function assertFits(tx: Tx, teamId: number, name: string, { id, adds }: { id?: number; adds: boolean }): Promise<Row<"metadata_templates">[]> {
    const present = await findPresent(tx, teamId);
    if (adds && present.length >= LIMITS.metadata_templates_per_team)
      throw conflict(`A team can have at most ${LIMITS.metadata_templates_per_team} metadata templates. Delete one first.`);
    if (present.some((other) => other.id !== id && other.name_key === nameKey(name))) throw conflict("A metadata template with this name already exists.");
    return present;
  }

  async function insert(tx: Tx, actor: Actor, teamId: number, { name, kinds, fields }: TemplateInput): Promise<number> {
    const present = await assertFits(tx, teamId, name, { adds: true });
    const template = await tx
      .insertInto("metadata_templates")
      .values({
        team_id: teamId,
        name: name.trim(),
        name_key: nameKey(name),
        kinds: toKinds(kinds),
        position: (present.at(-1)?.position ?? 0) + 1,
        created_by: actor.accountId,
        created_at: clock.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await insertFields(tx, template.id, fields);
    await assertWithinLimits(tx, teamId);
    await auditActor(tx, clock.now(), actor, "metadata_template.created", `metadata_template:${template.id}`, { name: template.name });
    await publishTemplates(tx, deps, actor, teamId);
    return template.id;
  }

  const load = async (tx: Tx, id: number): Promise<TemplateView> =>
    loadTemplateView(tx, await tx.selectFrom("metadata_templates").selectAll().where("id", "=", id).executeTakeFirstOrThrow());

  const change = (tx: Tx, id: number, set: Partial<Row<"metadata_templates">>) =>
    tx
      .updateTable("metadata_templates")
      .set((eb) => ({ ...set, revision: eb("revision", "+", 1) }))
      .where("id", "=", id)
      .execute();

  return {
    async list(actor: Actor, teamId: number): Promise<TemplateView[]> {
      const team = await loadAuthorizedTeam(database.read, actor, "team.read", teamId);
      return loadTemplateViews(database.read, team.id);
    },

    create(actor: Actor, teamId: number, input: TemplateInput, key: IdempotencyKey | null): Promise<TemplateView> {
      return database.write(async (tx) => {
        const team = await loadAuthorizedTeam(tx, actor, "metadata_template.manage", teamId);
        await lockTemplates(tx, database.engine, team.id);
        return load(tx, await runIdempotent(tx, actor, key, clock.now(), () => insert(tx, actor, team.id, input)));
      });
    },

    update(actor: Actor, id: number, { name, kinds, position }: TemplateChanges): Promise<TemplateView> {
      return database.write(async (tx) => {
        const template = await lockTemplate(tx, database.engine, actor, id, "present");
        const present = await assertFits(tx, template.team_id, name ?? template.name, { id, adds: false });
        if (position !== undefined) {
          const order = moveTo(
            present.map((other) => other.id),
            id,
            position,
          );
          for (const [index, other] of order.entries())
            await tx
              .updateTable("metadata_templates")
              .set({ position: index + 1 })
              .where("id", "=", other)
              .execute();
        }
        await change(tx, id, {
          ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
          ...(kinds === undefined ? {} : { kinds: toKinds(kinds) }),
        });
        await auditActor(tx, clock.now(), actor, "metadata_template.updated", `metadata_template:${id}`, { name: name?.trim() ?? template.name });
        await publishTemplates(tx, deps, actor, template.team_id);
        return load(tx, id);
      });
    },

    remove(actor: Actor, id: number): Promise<Deletion> {
      return database.write(async (tx) => {
        const template = await lockTemplate(tx, database.engine, actor, id, "present");
        const valueCount = await countValues(
          tx,
          parseKinds(template),
          (await loadTemplateView(tx, template)).fields.map((field) => field.id),
        );
        const now = clock.now();
        await change(tx, id, { deleted_at: now });
        await auditActor(tx, now, actor, "metadata_template.deleted", `metadata_template:${id}`, { name: template.name, value_count: valueCount });
        await publishTemplates(tx, deps, actor, template.team_id);
        return { id, valueCount, restorableUntil: iso(now + RESTORABLE_MS) };
      });
    },

    /** Restores a deleted template with its fields and values; one that is not deleted stays unchanged. */
    restore(actor: Actor, id: number): Promise<TemplateView> {
      return database.write(async (tx) => {
        const template = await lockTemplate(tx, database.engine, actor, id, "either");
        if (template.deleted_at === null) return load(tx, id);
        if (template.deleted_at <= clock.now() - RESTORABLE_MS) throw notFound("metadata template");
        await assertFits(tx, template.team_id, template.name, { id, adds: true });
        await change(tx, id, { deleted_at: null });
        await assertWithinLimits(tx, template.team_id);
        await auditActor(tx, clock.now(), actor, "metadata_template.restored", `metadata_template:${id}`, { name: template.name });
        await publishTemplates(tx, deps, actor, template.team_id);
        return load(tx, id);
      });
    },
  };
}
