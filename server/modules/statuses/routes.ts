import * as statuses from "../../../contract/operations/statuses.ts";
import { record } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import type { Services } from "../../services.ts";
import { presentFileStatus, presentStatuses } from "../accounts/presenter.ts";

export function statusRoutes(route: Route, { statusChanges }: Services): void {
  route(statuses.createFileStatus, async ({ actor, params, body, idempotencyKey }) =>
    record("file_status", presentFileStatus(await statusChanges.create(actor, params.team_id, body, idempotencyKey))),
  );
  route(statuses.updateFileStatus, async ({ actor, params, body }) =>
    record("file_status", presentFileStatus(await statusChanges.update(actor, params.status_id, body))),
  );
  route(statuses.orderFileStatuses, async ({ actor, params, body }) => presentStatuses(await statusChanges.order(actor, params.team_id, body.ids)));
  route(statuses.deleteFileStatus, async ({ actor, params, query }) =>
    presentStatuses(await statusChanges.remove(actor, params.status_id, query.replacement_id ?? null)),
  );
  route(statuses.getFileStatusUsage, async ({ actor, params }) =>
    record("file_status_usage", { status_id: params.status_id, file_count: await statusChanges.usage(actor, params.status_id) }),
  );
  route(statuses.setDefaultFileStatus, async ({ actor, params, body }) =>
    presentStatuses(await statusChanges.setDefault(actor, params.team_id, body.status_id)),
  );
}
