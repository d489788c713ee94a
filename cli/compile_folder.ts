/** Compiles a project folder into an output folder, both on disk (definitions 8). */
