/** A team's delivery rules, and the check of a file against them. */
import type { DeliveryCheck, DeliveryRules } from "../../../contract/delivery-records.ts";
import { type Actor, loadAuthorizedTeam } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Db } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { HttpError } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { loadAuthorizedFile, loadVersion } from "../files/repository.ts";
import { type CheckedRules, checkDeliveryRules, summarizeCheck } from "./delivery-check.ts";
import { isBeingAnalyzed, readMeasurements } from "./measurements.ts";

const NO_RULES: CheckedRules = { loudness: null, true_peak_max: null, sample_rates: [], bit_depths: [], channels: [], formats: [], name_pattern: null };

async function loadRules(db: Db, teamId: number): Promise<DeliveryRules> {
  const row = await db.selectFrom("delivery_rules").selectAll().where("team_id", "=", teamId).executeTakeFirst();
  return {
    object: "delivery_rules",
    team_id: teamId,
    ...NO_RULES,
    ...(row ? (JSON.parse(row.rules) as CheckedRules) : {}),
    updated_at: row ? iso(row.updated_at) : null,
    updated_by_account_id: row?.updated_by ?? null,
  };
}

export function createDeliveryRules({ database, events, clock }: ModuleDeps) {
  return {
    async get(actor: Actor, teamId: number): Promise<DeliveryRules> {
      const team = await loadAuthorizedTeam(database.read, actor, "team.read", teamId);
      return loadRules(database.read, team.id);
    },

    /** Replaces all rules of the team. Throws a 409 if they were set at another time than `seenAt`, which is undefined to replace any. */
    set(actor: Actor, teamId: number, input: CheckedRules, seenAt?: number | null): Promise<DeliveryRules> {
      return database.write(async (tx) => {
        const team = await loadAuthorizedTeam(tx, actor, "delivery_rules.manage", teamId);
        const values = { rules: JSON.stringify(input), updated_by: actor.accountId, updated_at: clock.now() };
        // Whoever has seen no rules replaces none: no rules were set before 1970.
        const written = await tx
          .insertInto("delivery_rules")
          .values({ team_id: team.id, ...values })
          .onConflict((conflict) => {
            const update = conflict.column("team_id").doUpdateSet(values);
            return seenAt === undefined ? update : update.where("delivery_rules.updated_at", "=", seenAt ?? -1);
          })
          .executeTakeFirst();
        if (Number(written.numInsertedOrUpdatedRows) === 0) throw new HttpError(409, "Someone else has changed the delivery rules since. Nothing was saved.");
        await events.append(tx, topicOf.organisation(actor.organisationId), "delivery_rules.changed", { team_id: team.id });
        await auditActor(tx, clock.now(), actor, "delivery_rules.updated", `team:${team.id}`);
        return loadRules(tx, team.id);
      });
    },

    /** Checks this version of the file; null: the current one. */
    async check(actor: Actor, fileId: number, versionNumber: number | null): Promise<DeliveryCheck> {
      const db = database.read;
      const file = await loadAuthorizedFile(db, actor, "file.read", fileId);
      const { id, number } = await loadVersion(db, file, versionNumber);
      const version = await db
        .selectFrom("file_versions")
        .select(["kind", "transcoding_status", "failure", "probe", "loudness"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const project = await db.selectFrom("projects").select(["name", "team_id"]).where("id", "=", file.project_id).executeTakeFirstOrThrow();
      const checks = checkDeliveryRules(await loadRules(db, project.team_id), readMeasurements(version, file.name, project.name));
      return { object: "delivery_check", file_id: file.id, version: number, result: summarizeCheck(checks), pending: isBeingAnalyzed(version), checks };
    },
  };
}

export type DeliveryRulesService = ReturnType<typeof createDeliveryRules>;
