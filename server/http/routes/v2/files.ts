import * as files from "../../../../contract/operations/files.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import type { FilePresenters } from "../../../presenters/files.ts";
import { iso, presentFileStatus } from "../../../presenters/records.ts";
import type { Storage } from "../../../storage/storage.ts";
import { list, record } from "../../answers.ts";
import { sendBytes } from "../../media/send-bytes.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";
import { encodeCursor, parsePage } from "../paging.ts";

export function fileResourceRoutes(route: Route, services: Services, present: FilePresenters, storage: Storage, publicUrl: string): void {
  route(files.statusHistory, async ({ actor, params, query }) => {
    const { after, limit } = parsePage(query);
    const { changes, next } = await services.fileStatuses.history(actor, params.file_id, after === 0 ? null : after, Math.min(limit, LIMITS.history_max));
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
  route(files.listVersions, async ({ actor, params }) => list((await services.versions.list(actor, params.file_id)).map(present.presentVersion)));
  route(files.getPeaks, async ({ actor, params, query }) => {
    const { version, peaks } = await services.versions.peaks(actor, params.file_id, query.version ?? null);
    return record("peaks", {
      version: version.number,
      channels: peaks.channels,
      sample_rate: peaks.sampleRate,
      duration: version.duration ?? 0,
      levels: peaks.levels.map((level, index) => ({
        samples_per_pixel: level.samplesPerPixel,
        length: level.length,
        bytes: level.bytes,
        url: present.peaksUrl(version, index),
      })),
    });
  });
  route(files.retryProcessing, async ({ actor, params }) => record("file", present.presentCommon(await services.versions.process(actor, params.file_id))));
  route(files.createSignedUrl, async ({ actor, params, body }) => {
    const { token, expiresAt } = await services.versions.sign(actor, params.file_id, {
      number: body.version ?? null,
      variant: body.variant ?? "original",
      seconds: body.expires_in ?? 3_600,
    });
    return record("signed_url", { url: `${publicUrl}/api/v2/media/${token}`, expires_at: iso(expiresAt) });
  });
  route(files.getContent, async ({ actor, params, query, request, reply }) => {
    await sendBytes(
      storage,
      await services.versions.content(actor, params.file_id, params.number, params.variant),
      request,
      reply,
      query.download !== undefined,
    );
    return undefined;
  });
  route(files.getPeaksLevel, async ({ actor, params, request, reply }) => {
    await sendBytes(storage, await services.versions.peaksLevel(actor, params.file_id, params.number, params.level), request, reply, false);
    return undefined;
  });
  route(files.getSigned, async ({ params, request, reply }) => {
    const { fileId, number, variant, accountId } = services.versions.verifyToken(params.token);
    const actor = await services.authentication.loadActor(accountId);
    // The signed URL itself grants access, so pages of other origins may play its media.
    reply.header("Cross-Origin-Resource-Policy", "cross-origin");
    await sendBytes(storage, await services.versions.content(actor, fileId, number, variant), request, reply, false);
    return undefined;
  });
}
