# Installs the build to a folder of its own and builds and runs examples/embed against that copy.
# Usage: cmake -D BUILD=… -D EMBED=… -D COMPILER=… -D FOLDER=… -P install_test.cmake

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${FOLDER})
set(prefix ${FOLDER}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# Nothing that an installed header includes is missing.
file(GLOB_RECURSE headers ${prefix}/include/*.h)
foreach(header IN LISTS headers)
  file(STRINGS ${header} lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    if(NOT EXISTS ${prefix}/include/${included})
      message(FATAL_ERROR "${header} includes ${included}, which is not installed")
    endif()
  endforeach()
endforeach()

run(${CMAKE_COMMAND} -S ${EMBED} -B ${FOLDER}/embed -G Ninja -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${FOLDER}/embed)
file(MAKE_DIRECTORY ${FOLDER}/empty)
run(${CMAKE_COMMAND} -E chdir ${FOLDER}/empty ${FOLDER}/embed/embed)
if(NOT output STREQUAL "-3\n")  # the optimum
  message(FATAL_ERROR "embed printed: ${output}")
endif()

file(STRINGS ${prefix}/include/ndnf/version.h version REGEX "define NDNF_VERSION ")
run(${prefix}/bin/ndnf --version)
string(REGEX REPLACE ".*\"(.+)\"" "ndnf \\1\n" expected "${version}")
string(FIND "${output}" "${expected}" place)
if(NOT place EQUAL 0)
  message(FATAL_ERROR "the program prints\n${output}but the header says ${version}")
endif()
