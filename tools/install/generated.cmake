# Runs the program that is being installed for what it says of itself. A verb that this build does not have
# is an error, as everything that fails here.
function(lockstep_says path)
  cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX NORMALIZE OUTPUT_VARIABLE prefix)
  set(file "$ENV{DESTDIR}${prefix}/${path}")
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND "${lockstep_program}" ${ARGN} -o "${file}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

lockstep_says("${lockstep_data}/bash-completion/completions/lockstep" completion bash)
lockstep_says("${lockstep_data}/zsh/vendor-completions/_lockstep" completion zsh)
lockstep_says("${lockstep_data}/fish/vendor_completions.d/lockstep.fish" completion fish)
lockstep_says("${lockstep_manual}/man1/lockstep.1" help --as man)
lockstep_says("${lockstep_documents}/manual.html" help --as html)
