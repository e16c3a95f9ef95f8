import * as statuses from "../../../../contract/operations/statuses.ts";
import { presentFileStatus, presentStatuses } from "../../../presenters/records.ts";
import { one } from "../../answers.ts";
import type { Serve } from "../../serve.ts";
import type { Services } from "../../services.ts";

export function statusRoutes(serve: Serve, { statusChanges }: Services): void {
  serve(statuses.createFileStatus, async ({ actor, params, body, repeat }) =>
    one("file_status", presentFileStatus(await statusChanges.create(actor, params.team_id, body, repeat))),
  );
  serve(statuses.updateFileStatus, async ({ actor, params, body }) =>
    one("file_status", presentFileStatus(await statusChanges.update(actor, params.status_id, body))),
  );
  serve(statuses.orderFileStatuses, async ({ actor, params, body }) => presentStatuses(await statusChanges.order(actor, params.team_id, body.ids)));
  serve(statuses.deleteFileStatus, async ({ actor, params, query }) =>
    presentStatuses(await statusChanges.remove(actor, params.status_id, query.replacement_id ?? null)),
  );
  serve(statuses.getFileStatusUsage, async ({ actor, params }) =>
    one("file_status_usage", { status_id: params.status_id, file_count: await statusChanges.usage(actor, params.status_id) }),
  );
  serve(statuses.setDefaultFileStatus, async ({ actor, params, body }) =>
    presentStatuses(await statusChanges.setDefault(actor, params.team_id, body.status_id)),
  );
}
