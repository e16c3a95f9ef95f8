/** Fields of a template: adding, changing, deleting and restoring. Options of a choice keep their values when they are renamed or moved. */
import { sql } from "kysely";
import { nameKey } from "../../../contract/text.ts";
import type { Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import { givenRows } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { conflict, HttpError, invalid, notFound } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { insertFields, toOptions, type NewField } from "./new-fields.ts";
import { parseKinds, parseOptions } from "./presenter.ts";
import { assertWithinLimits, loadTemplateView, lockField, lockTemplate } from "./repository.ts";
import { RESTORABLE_MS } from "./retention.ts";
import { moveTo, publishTemplates, type Deletion } from "./templates.ts";
import { countFilesWithOptions, countValues } from "./usage.ts";

/** Undefined members stay unchanged. */
export interface FieldChanges {
  name: string | undefined;
  help: string | undefined;
  tag: string | null | undefined;
  position: number | undefined;
  options: NewField["options"] | undefined;
  lostValueCount: number | undefined;
}

export function createMetadataFields(deps: ModuleDeps) {
  const { database, clock } = deps;

  const load = (tx: Tx, id: number): Promise<Row<"metadata_fields">> =>
    tx.selectFrom("metadata_fields").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

  async function setPosition(tx: Tx, template: Row<"metadata_templates">, id: number, position: number): Promise<void> {
    const { fields } = await loadTemplateView(tx, template);
    const order = moveTo(
      fields.map((field) => field.id),
      id,
      position,
    );
    for (const [index, fieldId] of order.entries())
      await tx
        .updateTable("metadata_fields")
        .set({ position: index + 1 })
        .where("id", "=", fieldId)
        .execute();
  }

  /** Stores the options, removes values of those that are gone, and orders values by the new sequence. */
  async function setOptions(tx: Tx, field: Row<"metadata_fields">, given: NewField["options"], lostValueCount: number | undefined): Promise<void> {
    const known = new Set(parseOptions(field).map(({ id }) => id));
    const ids = given.flatMap(({ id }) => id ?? []);
    if (ids.some((id) => !known.has(id)) || new Set(ids).size < ids.length) throw invalid("options", "must have ids of the field's options, each once");
    const options = toOptions(field.type, given);
    const removed = [...known].filter((id) => !ids.includes(id));
    if (removed.length > 0) {
      const count = await countFilesWithOptions(tx, field.id, removed);
      if (count > 0 && count !== lostValueCount)
        throw new HttpError(
          409,
          `${count.toLocaleString("en")} files, deleted ones that can be restored among them, have an option that would be removed. Confirm that they lose it.`,
          {
            extensions: { lost_value_count: count },
          },
        );
      await tx.deleteFrom("metadata_values").where("field_id", "=", field.id).where("match_text", "in", removed).execute();
    }
    await tx
      .updateTable("metadata_fields")
      .set({ options: JSON.stringify(options) })
      .where("id", "=", field.id)
      .execute();
    const ranks = givenRows(
      database.engine,
      options.map(({ id }, rank) => ({ id, rank })),
      { id: "text", rank: "bigint" },
    );
    await sql`update metadata_values set sort_number = (select given.rank from ${ranks} where given.id = metadata_values.match_text)
      where field_id = ${field.id}`.execute(tx);
  }

  async function publish(tx: Tx, actor: Actor, template: Row<"metadata_templates">): Promise<void> {
    await tx
      .updateTable("metadata_templates")
      .set((eb) => ({ revision: eb("revision", "+", 1) }))
      .where("id", "=", template.id)
      .execute();
    await publishTemplates(tx, deps, actor, template.team_id);
  }

  /** Throws a 409 if another field of the template has the name. */
  async function assertNameFree(tx: Tx, template: Row<"metadata_templates">, name: string, id: number): Promise<void> {
    const { fields } = await loadTemplateView(tx, template);
    if (fields.some((field) => field.id !== id && field.name_key === nameKey(name))) throw conflict(`The template already has a field named "${name.trim()}".`);
  }

  return {
    create(actor: Actor, templateId: number, input: NewField & { position: number | undefined }, key: IdempotencyKey | null): Promise<Row<"metadata_fields">> {
      return database.write(async (tx) => {
        const template = await lockTemplate(tx, database.engine, actor, templateId, "present");
        const fieldId = await runIdempotent(tx, actor, key, clock.now(), async () => {
          const [id = 0] = await insertFields(tx, template.id, [input]);
          await assertWithinLimits(tx, template.team_id);
          if (input.position !== undefined) await setPosition(tx, template, id, input.position);
          await auditActor(tx, clock.now(), actor, "metadata_field.created", `metadata_field:${id}`, { name: input.name.trim() });
          await publish(tx, actor, template);
          return id;
        });
        return load(tx, fieldId);
      });
    },

    update(actor: Actor, id: number, { name, help, tag, position, options, lostValueCount }: FieldChanges): Promise<Row<"metadata_fields">> {
      return database.write(async (tx) => {
        const { field, template } = await lockField(tx, database.engine, actor, id, "present");
        if (name !== undefined) await assertNameFree(tx, template, name, id);
        if (options !== undefined) await setOptions(tx, field, options, lostValueCount);
        if (position !== undefined) await setPosition(tx, template, id, position);
        await tx
          .updateTable("metadata_fields")
          .set({
            ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
            ...(help === undefined ? {} : { help }),
            ...(tag === undefined ? {} : { tag }),
            template_id: template.id,
          })
          .where("id", "=", id)
          .execute();
        await assertWithinLimits(tx, template.team_id);
        await auditActor(tx, clock.now(), actor, "metadata_field.updated", `metadata_field:${id}`, { name: name?.trim() ?? field.name });
        await publish(tx, actor, template);
        return load(tx, id);
      });
    },

    remove(actor: Actor, id: number): Promise<Deletion> {
      return database.write(async (tx) => {
        const { field, template } = await lockField(tx, database.engine, actor, id, "present");
        const valueCount = await countValues(tx, parseKinds(template), [id]);
        const now = clock.now();
        await tx.updateTable("metadata_fields").set({ deleted_at: now }).where("id", "=", id).execute();
        await auditActor(tx, now, actor, "metadata_field.deleted", `metadata_field:${id}`, { name: field.name, value_count: valueCount });
        await publish(tx, actor, template);
        return { id, valueCount, restorableUntil: iso(now + RESTORABLE_MS) };
      });
    },

    /** Restores a deleted field with its values; one that is not deleted stays unchanged. */
    restore(actor: Actor, id: number): Promise<Row<"metadata_fields">> {
      return database.write(async (tx) => {
        const { field, template } = await lockField(tx, database.engine, actor, id, "either");
        if (template.deleted_at !== null) throw conflict("The field's template is deleted. Restore the template first.");
        if (field.deleted_at === null) return field;
        if (field.deleted_at <= clock.now() - RESTORABLE_MS) throw notFound("metadata field");
        await assertNameFree(tx, template, field.name, id);
        await tx.updateTable("metadata_fields").set({ deleted_at: null }).where("id", "=", id).execute();
        await assertWithinLimits(tx, template.team_id);
        await auditActor(tx, clock.now(), actor, "metadata_field.restored", `metadata_field:${id}`, { name: field.name });
        await publish(tx, actor, template);
        return load(tx, id);
      });
    },
  };
}
