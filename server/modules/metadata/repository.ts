/** SQL for templates and fields, limited to teams visible to the actor. */
import { LIMITS } from "../../../contract/limits.ts";
import { assertCan, type Actor, visibleTeams } from "../../access/access.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Engine } from "../../db/database.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { conflict, notFound } from "../../lib/errors.ts";
import { parseOptions, type TemplateView } from "./presenter.ts";

const DENIAL_REASON = "Only owners and admins can manage metadata templates.";

/** Serializes changes of a team's templates with each other and with changes of values, so that no value is written for an option that is being removed. */
export const lockTemplates = (tx: Tx, engine: Engine, teamId: number): Promise<void> => acquireAdvisoryLock(tx, engine, `metadata templates of team ${teamId}`);

/** Returns the templates in order with their fields, except deleted ones. */
export async function loadTemplateViews(db: Db, teamId: number): Promise<TemplateView[]> {
  const templates = await db
    .selectFrom("metadata_templates")
    .selectAll()
    .where("team_id", "=", teamId)
    .where("deleted_at", "is", null)
    .orderBy("position")
    .orderBy("id")
    .execute();
  const fields = await db
    .selectFrom("metadata_fields")
    .innerJoin("metadata_templates", "metadata_templates.id", "metadata_fields.template_id")
    .selectAll("metadata_fields")
    .where("metadata_templates.team_id", "=", teamId)
    .where("metadata_templates.deleted_at", "is", null)
    .where("metadata_fields.deleted_at", "is", null)
    .orderBy("metadata_fields.position")
    .orderBy("metadata_fields.id")
    .execute();
  return templates.map((template) => ({ template, fields: fields.filter(({ template_id }) => template_id === template.id) }));
}

export async function loadTemplateView(db: Db, template: Row<"metadata_templates">): Promise<TemplateView> {
  const fields = await db
    .selectFrom("metadata_fields")
    .selectAll()
    .where("template_id", "=", template.id)
    .where("deleted_at", "is", null)
    .orderBy("position")
    .orderBy("id")
    .execute();
  return { template, fields };
}

/** Throws a 409 if a change of this transaction left the team with more fields or options than it can have. */
export async function assertWithinLimits(tx: Tx, teamId: number): Promise<void> {
  const views = await loadTemplateViews(tx, teamId);
  if (views.some(({ fields }) => fields.length > LIMITS.metadata_fields_per_template))
    throw conflict(`A metadata template can have at most ${LIMITS.metadata_fields_per_template} fields. Delete one first.`);
  const fields = views.flatMap((view) => view.fields);
  if (fields.length > LIMITS.metadata_fields_per_team)
    throw conflict(`The metadata templates of a team can have at most ${LIMITS.metadata_fields_per_team} fields together. Delete one first.`);
  if (fields.reduce((count, field) => count + parseOptions(field).length, 0) > LIMITS.metadata_options_per_team)
    throw conflict(
      `The metadata fields of a team can have at most ${LIMITS.metadata_options_per_team.toLocaleString("en")} options together. Remove some first.`,
    );
}

const findTemplate = (db: Db, actor: Actor, id: number): Promise<Row<"metadata_templates"> | undefined> =>
  visibleTeams(db, actor)
    .innerJoin("metadata_templates", "metadata_templates.team_id", "teams.id")
    .selectAll("metadata_templates")
    .where("metadata_templates.id", "=", id)
    .executeTakeFirst();

/** Returns the template, locked for a change; throws a 404 unless the actor sees its team, and a 403 unless the actor manages templates. */
export async function lockTemplate(tx: Tx, engine: Engine, actor: Actor, id: number, deleted: "present" | "either"): Promise<Row<"metadata_templates">> {
  const found = await findTemplate(tx, actor, id);
  if (found) await lockTemplates(tx, engine, found.team_id);
  return loadManagedTemplate(tx, actor, id, deleted);
}

/** Returns a template that the actor may manage, without a lock, for reading. */
export async function loadManagedTemplate(db: Db, actor: Actor, id: number, deleted: "present" | "either" = "present"): Promise<Row<"metadata_templates">> {
  const template = await findTemplate(db, actor, id);
  if (!template || (deleted === "present" && template.deleted_at !== null)) throw notFound("metadata template");
  assertCan(actor, "metadata_template.manage", {}, DENIAL_REASON);
  return template;
}

/** The same for a field and its template. */
export async function lockField(
  tx: Tx,
  engine: Engine,
  actor: Actor,
  id: number,
  deleted: "present" | "either",
): Promise<{ field: Row<"metadata_fields">; template: Row<"metadata_templates"> }> {
  const find = () => tx.selectFrom("metadata_fields").selectAll().where("id", "=", id).executeTakeFirst();
  const found = await find();
  if (!found) throw notFound("metadata field");
  const template = await lockTemplate(tx, engine, actor, found.template_id, deleted).catch((error: { status?: number }) => {
    throw error.status === 404 ? notFound("metadata field") : error;
  });
  const field = await find();
  if (!field || (deleted === "present" && field.deleted_at !== null)) throw notFound("metadata field");
  return { field, template };
}
