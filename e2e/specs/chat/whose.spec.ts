import { history, inviteLink, PASSWORD } from "../../fixtures/api.ts";
import { answered } from "../../fixtures/guard.ts";
import { composer, message, rail, send } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

test("what waits in a tab is never sent as somebody who came in by another tab, and goes out when its writer is back", async ({
  house: { owner },
  pair: { ana, project },
  open,
  guard,
}, info) => {
  guard.allow(answered(412));
  guard.allow(/ERR_FAILED/);
  const tab = await open(ana, `/projects/${project.id}/chat`);
  await tab.route("**/v1/account/projects/chat_message", (route) => route.abort());
  await send(tab, "Ana wrote this");
  await expect(message(tab, "Ana wrote this")).toContainText("Waiting");

  const other = await tab.context().newPage();
  await other.goto(await inviteLink(owner, "member", [project.id]));
  const name = unique("Cleo", info.testId);
  await other.getByRole("textbox", { name: "Your name" }).fill(name);
  await other.getByRole("textbox", { name: "E-mail" }).fill(`${name.replaceAll(" ", ".")}@talkback.test`);
  await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.getByRole("button", { name: "Join" }).click();
  await expect(rail(other)).toBeVisible();

  await tab.unroute("**/v1/account/projects/chat_message");
  await expect(rail(tab).getByRole("link", { name })).toBeVisible();
  await expect(composer(tab)).toBeVisible();
  for (const page of [tab, other]) await expect(message(page, "Ana wrote this")).toHaveCount(0);
  expect(await history(ana, project.id)).toEqual([]);

  await tab.context().addCookies([{ name: ana.cookie.split("=")[0]!, value: ana.cookie.slice(ana.cookie.indexOf("=") + 1), url: ana.url }]);
  // In a tab of her own: the others notice her by themselves, and load anew at that moment.
  const back = await tab.context().newPage();
  await back.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect.poll(async () => (await history(ana, project.id)).map(({ body, account_id }) => [body, account_id])).toEqual([["Ana wrote this", ana.id]]);
});
