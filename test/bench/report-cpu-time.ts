/**
 * Loaded in front of a server that is measured: tells the process that started it, when asked, the processor time that
 * the server has used so far, in microseconds. Ends the server when that process is gone.
 */
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on("disconnect", () => process.exit());
