// Starts what the page sends as a worker of this frame, which has no network and no storage, and gives it its channels.
addEventListener("message", ({ data, ports }) => {
  const script = new Blob([data.text], { type: "text/javascript" });
  const worker = new Worker(URL.createObjectURL(script));
  worker.addEventListener(
    "error",
    ({ message }) => console.error(`The API cannot run here: ${message}`),
  );
  worker.postMessage(null, [...ports]);
}, { once: true });
