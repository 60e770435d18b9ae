/**
 * Runs in front of a server that is measured. When the process that started it asks, it tells the processor time that
 * the server has used so far, in microseconds. It ends the server when that process is gone.
 */
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on("disconnect", () => process.exit());
