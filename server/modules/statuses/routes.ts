/** Routes of a team's statuses, of the status of a file and of its history. */
import { LIMITS } from "../../../contract/limits.ts";
import { setFileStatus, listStatusChanges } from "../../../contract/operations/files.ts";
import * as operations from "../../../contract/operations/statuses.ts";
import { listFileStatuses } from "../../../contract/operations/teams.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { iso } from "../../lib/iso-time.ts";
import { presentFileStatus, type FilePresenters } from "../files/presenter.ts";
import { presentTeam } from "../projects/presenter.ts";
import type { StatusServices } from "./services.ts";
import type { TeamStatuses } from "./statuses.ts";

export function registerStatusRoutes(route: Route, { statuses, statusChanges, fileStatuses }: StatusServices, present: FilePresenters): void {
  route(listFileStatuses, async ({ actor, body }) => presentStatuses(await statuses.list(actor, body.team_id)));
  route(operations.createFileStatus, async ({ actor, params, body, idempotencyKey }) =>
    single(
      "file_status",
      presentFileStatus(
        await statusChanges.create(actor, params.team_id, { title: body.title, color: body.color, isFinal: body.is_final ?? false }, idempotencyKey),
      ),
    ),
  );
  route(operations.updateFileStatus, async ({ actor, params, body }) =>
    single(
      "file_status",
      presentFileStatus(await statusChanges.update(actor, params.status_id, { title: body.title, color: body.color, isFinal: body.is_final })),
    ),
  );
  route(operations.orderFileStatuses, async ({ actor, params, body }) => presentStatuses(await statusChanges.order(actor, params.team_id, body.ids)));
  route(operations.deleteFileStatus, async ({ actor, params, query }) =>
    presentStatuses(await statusChanges.remove(actor, params.status_id, query.replacement_id ?? null)),
  );
  route(operations.getFileStatusUsage, async ({ actor, params }) =>
    single("file_status_usage", { status_id: params.status_id, file_count: await statusChanges.usage(actor, params.status_id) }),
  );
  route(operations.setDefaultFileStatus, async ({ actor, params, body }) =>
    presentStatuses(await statusChanges.setDefault(actor, params.team_id, body.status_id)),
  );
  route(operations.updateTeam, async ({ actor, params, body }) =>
    single("team", presentTeam(await statusChanges.updateTeam(actor, params.team_id, body.new_version_resets_status), actor.role)),
  );
  route(setFileStatus, async ({ actor, body }) =>
    single(
      "file",
      present.presentCommon(await fileStatuses.set(actor, body.file_id, { statusId: body.status_id, note: body.note ?? "", ifStatusId: body.if_status_id })),
    ),
  );
  route(listStatusChanges, async ({ actor, params, query }) => {
    const { after, limit } = parsePage(query);
    const { changes, next } = await fileStatuses.history(actor, params.file_id, after === 0 ? null : after, Math.min(limit, LIMITS.history_max));
    return list(
      changes.map(({ change, oldStatus, newStatus }) => ({
        id: change.id,
        old_status: oldStatus ? presentFileStatus(oldStatus) : null,
        new_status: presentFileStatus(newStatus),
        note: change.note,
        changed_by_account_id: change.account_id,
        change_status_time: iso(change.created_at),
      })),
      { next_cursor: encodeCursor(next) },
    );
  });
}

const presentStatuses = ({ statuses, defaultId, newVersionResetsStatus }: TeamStatuses) => ({
  object: "list" as const,
  data: statuses.map(presentFileStatus),
  default_status_id: defaultId,
  new_version_resets_status: newVersionResetsStatus,
});
