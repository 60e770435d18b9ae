/** How the benchmark measures; part of its result. */
export const settings = {
  path: "/fragments/footer/DE",
  connections: 50,
  pipelining: 1,
  warmUpSeconds: 2,
  rounds: 5,
  roundSeconds: 3,
};
