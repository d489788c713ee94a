/** Stands in for the page's program where that cannot be made. */
const notice = document.getElementById("notice");
notice.hidden = false;
notice.textContent =
  "The page cannot be made: the terminal of dev says what failed. Reload to try again.";
document.getElementById("status").textContent = "";
