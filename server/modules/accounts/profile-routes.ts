/** Routes of profiles and of the pictures of accounts. */
import type { Readable } from "node:stream";
import { updateAccount } from "../../../contract/operations/accounts.ts";
import * as profiles from "../../../contract/operations/account-profiles.ts";
import type { Row } from "../../db/schema.ts";
import { readBytes } from "../../http/body.ts";
import { sendBytes } from "../../http/send-bytes.ts";
import { single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import type { Storage } from "../../storage/storage.ts";
import { presentAccount } from "./presenter.ts";
import type { AccountServices } from "./services.ts";

/** Seconds for which a browser shows a picture without asking again. Its URL changes with the picture, so what it shows is current. */
const CACHE_SECONDS = 24 * 3_600;

export function registerProfileRoutes(
  route: Route,
  { profiles: service, avatars }: AccountServices,
  { storage, publicUrl }: { storage: Storage; publicUrl: string },
): void {
  const respond = (account: Row<"accounts">) => single("account", presentAccount(account, publicUrl));
  route(profiles.getOwnAccount, async ({ actor }) => respond(await service.getOwn(actor)));
  route(profiles.getAccountV2, async ({ actor, params }) => respond(await service.get(actor, params.account_id)));
  route(updateAccount, async ({ actor, body }) => {
    const { username, email, user_info: userInfo, time_zone: timeZone, locale, working_hours: workingHours } = body;
    return respond(await service.update(actor, { username, email, userInfo, timeZone, locale, workingHours }));
  });
  route(profiles.setAvatar, async ({ actor, request }) => {
    const declared = request.headers["content-length"];
    return respond(await avatars.set(actor, readBytes(request.body as Readable), declared === undefined ? undefined : Number(declared)));
  });
  route(profiles.removeAvatar, async ({ actor }) => respond(await avatars.remove(actor)));
  route(profiles.getAvatar, async ({ actor, params, query, request, reply }) => {
    const key = await avatars.findKey(actor, params.account_id, query.size ?? "medium");
    const maxAge = query.version === undefined ? undefined : CACHE_SECONDS;
    await sendBytes(storage, { key, mediaType: "image/webp", fileName: "avatar.webp" }, request, reply, { maxAge });
    return undefined;
  });
}
