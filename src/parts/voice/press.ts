/** A press on the microphone while the code of the recorder may still be on its way: taken back, or its chat left meanwhile, it records nothing. */
export function createPressGuard<Loaded>(open: () => Promise<Loaded>) {
  let latestPress = 0;
  return {
    begin(start: (loaded: Loaded) => void, failed: () => void): void {
      latestPress += 1;
      const currentPress = latestPress;
      open().then(
        (loaded) => currentPress === latestPress && start(loaded),
        () => currentPress === latestPress && failed(),
      );
    },
    cancel: () => void (latestPress += 1),
  };
}
