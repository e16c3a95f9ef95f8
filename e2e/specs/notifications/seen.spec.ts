import { joinByInvite } from "../../fixtures/api.ts";
import { rail } from "../../fixtures/pages.ts";
import { respondWithStatus } from "../../fixtures/receiver.ts";
import { expect } from "../../fixtures/test.ts";
import { test } from "../../fixtures/webhooks.ts";

test("an accepted invite is read on the page of the members, and an endpoint that was switched off on the one of the webhooks", async ({ webhooks, open }) => {
  const { owner, receiver } = webhooks;
  const page = await open(owner, "/settings/profile");
  const bell = rail(page).getByRole("link", { name: /^Inbox/ });
  const settings = page.getByRole("main");
  await joinByInvite(owner, "Ana", "member", []);
  await expect(bell).toHaveAccessibleName("Inbox 1 unread");
  await webhooks.register(["file.uploaded"]);
  // The receiver is gone for good.
  receiver.respondWith(respondWithStatus(410));
  await webhooks.uploadFile("mix notes.txt");
  await expect(bell).toHaveAccessibleName("Inbox 2 unread");

  await settings.getByRole("link", { name: "Members" }).click();
  await expect(bell).toHaveAccessibleName("Inbox 1 unread");
  await settings.getByRole("link", { name: "Webhooks" }).click();
  await expect(bell).toHaveAccessibleName("Inbox");
});
