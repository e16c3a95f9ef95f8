/** Guards a press on the microphone while the recorder's code loads: if the press is canceled or the chat is left meanwhile, nothing is recorded. */
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
