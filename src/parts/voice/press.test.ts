import { expect, test } from "vitest";
import { createPress } from "./press.ts";

test("only the last press begins, and none that was taken back before the code came", async () => {
  const happened: string[] = [];
  const code = Promise.withResolvers<string>();
  const press = createPress(() => code.promise);
  const begin = (name: string) =>
    press.begin(
      (desk) => happened.push(`${name} ${desk}`),
      () => happened.push(`${name} failed`),
    );
  begin("a");
  begin("b");
  const left = createPress(() => code.promise);
  left.begin(
    () => happened.push("left"),
    () => undefined,
  );
  left.takeBack();
  code.resolve("desk");
  await code.promise;
  expect(happened).toEqual(["b desk"]);
  const broken = createPress(() => Promise.reject(new Error("offline")));
  const failed = new Promise<void>((resolve) => broken.begin(() => undefined, resolve));
  await failed;
});
